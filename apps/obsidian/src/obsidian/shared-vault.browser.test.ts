import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptedVault } from '../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n';
const program = join(import.meta.dirname, '../../../cli/src/main.ts');
const soon = { timeout: 30_000 };
const long = { timeout: 240_000 };

/** A command on the same vault, by the same person. */
function errand({ obsidian: { home } }: ScriptedVault, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: join(home, 'vault'),
    env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  return child;
}

async function outputOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) return '';
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
}

/** Obsidian with a server that a person has agreed to and that runs. */
async function openAgreed(): Promise<ScriptedVault> {
  const vault = await ScriptedVault.open(echo);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  return vault;
}

const starts = ({ journal }: ScriptedVault) =>
  journal.filter(({ kind }) => kind === 'started').map(({ pid }) => pid);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test(
  'a call of the command line runs on the server of Obsidian, is shown there, and is stopped there',
  long,
  async () => {
    await using vault = await openAgreed();
    const { page } = vault.obsidian;
    await vault.command('Open side view');
    const calling = errand(vault, 'call', 'scripted', 'hang', '--json');
    const output = outputOf(calling);
    await vault.called('hang');
    const running = page.locator('.errand-call', { hasText: 'hang' });
    await running.waitFor(soon);
    await vault.command('Stop executions');
    expect(await output).toContain('Execution stopped by user');
    expect(starts(vault)).toHaveLength(1);
  },
);

test('hands the vault over to errand serve, goes on working, and takes it back', long, async () => {
  await using vault = await openAgreed();
  const [before = 0] = starts(vault);
  const { home, page } = vault.obsidian;
  const status = () => page.locator('.errand-status').textContent();
  const calls = () => vault.journal.filter(({ kind }) => kind === 'call').length;
  mkdirSync(join(home, 'vault/.errand'), { recursive: true });
  writeFileSync(join(home, 'vault/.errand/hooks.json'), '{ "version": 1, "hooks": [] }');
  await vault.press('Run again');
  await expect.poll(status, soon).toContain('Hooks are off');
  await expect.poll(calls, soon).toBe(2);
  await vault.isIdle();
  const serving = errand(vault, 'serve', '--port', '0');
  await once(serving.stdout ?? serving, 'data');
  await expect.poll(() => isRunning(before), soon).toBe(false);
  await vault.press('Run again');
  await expect.poll(calls, soon).toBe(3);
  expect(starts(vault)).toHaveLength(2);
  // A call that is cut off would be made again, and counted twice.
  await vault.isIdle();
  await expect.poll(status, soon).not.toContain('Hooks are off');
  const ended = once(serving, 'exit');
  serving.kill('SIGTERM');
  await ended;
  await vault.hasState('fresh');
  await vault.press('Run again');
  await expect.poll(calls, soon).toBe(4);
});

test(
  'a call of another program is told when Obsidian closes, and nothing is left running',
  long,
  async () => {
    await using vault = await openAgreed();
    const calling = errand(vault, 'call', 'scripted', 'hang', '--json');
    const output = outputOf(calling);
    await vault.called('hang');
    await vault.obsidian.harness.evaluate((each) => each.quit());
    expect(JSON.parse(await output)).toMatchObject({ error: { code: 'owner_lost' } });
    await expect.poll(() => starts(vault).filter(isRunning), soon).toEqual([]);
    expect(vault.journal.filter(({ tool }) => tool === 'hang')).toHaveLength(1);
  },
);

const actLate = (gate: string) => `\`\`\`scripted\ntool: act-late\nfile: ${gate}\n\`\`\`\n`;

test('an acting block that Obsidian and a command run at once is called once', long, async () => {
  await using vault = await ScriptedVault.open(actLate);
  const { home, harness } = vault.obsidian;
  const called = () => vault.journal.filter(({ tool }) => tool === 'act-late');
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.called('act-late');
  const second = outputOf(errand(vault, 'run', 'note.md'));
  vault.openGate();
  await vault.hasState('fresh');
  expect(await second).toContain('already done');
  expect(called()).toHaveLength(1);
  // Now the command comes first, and Obsidian is attached to the program that owns the vault.
  const serving = errand(vault, 'serve', '--port', '0');
  await once(serving.stdout ?? serving, 'data');
  const gate = join(home, 'gate 2');
  await harness.evaluate((each, text) => each.createFile('other.md', text), actLate(gate));
  await harness.evaluate((each) => each.closeAll());
  await vault.show('source', 'other.md');
  const first = outputOf(errand(vault, 'run', 'other.md'));
  await expect.poll(() => called().length, soon).toBe(2);
  await vault.press('Run');
  await vault.hasState('running');
  writeFileSync(gate, '');
  await first;
  // The file has its answer; Obsidian notices it later.
  await vault.hasState('running');
  await harness.evaluate((each) => each.noticeChange('other.md'));
  await vault.hasState('fresh');
  expect(called()).toHaveLength(2);
  expect(vault.obsidian.file('other.md').match(/it is there/g)).toHaveLength(1);
  const ended = once(serving, 'exit');
  serving.kill('SIGTERM');
  await ended;
});

test('connects to the servers when the layout is ready, and not before', long, async () => {
  await using vault = await openAgreed();
  const { harness } = vault.obsidian;
  const [before = 0] = starts(vault);
  await harness.evaluate(async (each) => {
    each.holdLayout();
    await each.reload();
  });
  await expect.poll(() => isRunning(before), soon).toBe(false);
  await expect.poll(() => harness.evaluate((each) => each.hasStarted), soon).toBe(true);
  expect(starts(vault)).toHaveLength(1);
  await harness.evaluate((each) => each.restoreLayout());
  await expect.poll(() => starts(vault).length, soon).toBe(2);
});
