import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type JournalLine,
  journalled,
  readJournal,
  scriptedServerConfig,
} from '@errand/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenObsidian, openObsidian } from '../testing/open-obsidian.ts';

let scratch: string;
let journal: string;
/** A file that the tool `wait` waits for. */
let gate: string;
let obsidian: OpenObsidian;

const echo = '# Today\n\n```scripted\ntool: echo\ntext: hello\n```\n\nBelow.\n';
const hang = '```scripted\ntool: hang\n```\n\nBelow.\n';

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'errand-journal-'));
  journal = join(scratch, 'journal');
  writeFileSync(journal, '');
  gate = join(scratch, 'gate');
  obsidian = await openObsidian({
    notes: { 'echo.md': echo, 'hang.md': hang },
    data: { version: 1, mcpServers: [scriptedServerConfig({ journal })] },
  });
});

afterEach(async () => {
  await obsidian?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
  expect(obsidian.complaints).toEqual([]);
});

test.each(['source', 'preview'] as const)('shows a card and runs nothing (%s)', async (mode) => {
  await open('echo.md', mode);
  const card = obsidian.page.locator('.errand-card:visible');
  await card.waitFor();
  expect(await card.textContent()).toContain('scripted · echo');
  expect(await card.textContent()).toContain('Never run');
  expect(readJournal(journal)).toEqual([]);
});

test('writes the result below the block in one step of undo', async () => {
  await open('echo.md', 'source');
  await agreeAndRun();
  await hasState('fresh');
  const after = await obsidian.text();
  expect(after).toMatch(/```\n\n```mcp-result req=\w+ sum=\w+ type=text\nhello\n```\n\nBelow\.\n$/);
  await obsidian.harness.evaluate((each) => each.pane(0).editor.undo());
  expect(await obsidian.text()).toBe(echo);
  await hasState('new');
  await obsidian.harness.evaluate((each) => each.pane(0).editor.redo());
  expect(await obsidian.text()).toBe(after);
});

test('changes nothing when the same request answers the same', async () => {
  await write(waitFor(gate));
  await open('echo.md', 'source');
  writeFileSync(gate, '');
  await agreeAndRun();
  await hasState('fresh');
  const after = await obsidian.text();
  rmSync(gate);
  await press('Run again');
  await hasState('running');
  writeFileSync(gate, '');
  await hasState('fresh');
  expect(await obsidian.text()).toBe(after);
  expect(readJournal(journal).filter(({ kind }) => kind === 'call')).toHaveLength(2);
});

test('finds its place again when text is typed above while it runs', async () => {
  await write(waitFor(gate));
  await open('echo.md', 'source');
  await agreeAndRun();
  await called('wait');
  await obsidian.harness.evaluate((each) =>
    each.pane(0).editor.transaction({ changes: [{ from: { line: 0, ch: 0 }, text: 'Typed.\n' }] }),
  );
  writeFileSync(gate, '');
  await hasState('fresh');
  expect(await obsidian.text()).toMatch(
    /^Typed\.\nAbove\.\n\n```scripted\n[^`]*```\n\n```mcp-result [^\n]*\nit is there\n```\n\nBelow\.\n$/,
  );
});

test('writes to the file when the note is open for reading', async () => {
  await open('echo.md', 'preview');
  await agreeAndRun();
  await hasState('fresh');
  expect(obsidian.file('echo.md')).toContain('\nhello\n```\n\nBelow.\n');
  expect(await obsidian.page.locator('.errand-result:visible').textContent()).toBe('hello');
});

test('writes to the file when the note was closed while it ran', async () => {
  await write(waitFor(gate));
  await open('echo.md', 'source');
  await agreeAndRun();
  await called('wait');
  await obsidian.harness.evaluate((each) => each.close(0));
  writeFileSync(gate, '');
  await expect.poll(() => obsidian.file('echo.md'), { timeout: 20_000 }).toContain('it is there');
});

test('tells the server of a cancel and writes nothing', async () => {
  await open('hang.md', 'source');
  await agreeAndRun();
  await called('hang');
  await press('Cancel');
  await journalled(journal, ({ kind }) => kind === 'cancelled', AbortSignal.timeout(20_000));
  await hasState('new');
  expect(await obsidian.text()).toBe(hang);
});

test('starts nothing when the person does not agree', async () => {
  await open('echo.md', 'source');
  await press('Run');
  await press('Cancel');
  await hasState('new');
  expect(readJournal(journal)).toEqual([]);
});

test('leaves no process and nothing on the page when it is unloaded', async () => {
  await open('hang.md', 'source');
  await agreeAndRun();
  const { pid } = await called('hang');
  expect(isRunning(pid)).toBe(true);
  await obsidian.harness.evaluate((each) => each.unload());
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  expect(await obsidian.harness.evaluate((each) => each.listeners())).toBe(0);
});

function waitFor(file: string): string {
  return `Above.\n\n\`\`\`scripted\ntool: wait\nfile: ${file}\n\`\`\`\n\nBelow.\n`;
}

async function write(text: string): Promise<void> {
  await obsidian.harness.evaluate((each, note) => each.writeFile('echo.md', note), text);
}

async function open(path: string, mode: 'source' | 'preview'): Promise<void> {
  await obsidian.harness.evaluate((each, [note, as]) => each.open(note, as), [path, mode] as const);
}

async function press(name: string): Promise<void> {
  await obsidian.page.getByRole('button', { name, exact: true }).click();
}

async function agreeAndRun(): Promise<void> {
  await press('Run');
  await press('Agree and run');
}

async function hasState(state: string): Promise<void> {
  await obsidian.page.locator(`.errand-card[data-state="${state}"]:visible`).waitFor();
}

function called(tool: string): ReturnType<typeof journalled> {
  const isIt = (line: JournalLine) => line.kind === 'call' && line.tool === tool;
  return journalled(journal, isIt, AbortSignal.timeout(20_000));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
