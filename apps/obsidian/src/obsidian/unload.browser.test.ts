import { join } from 'node:path';
import { type ServerScript, scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { AskVault } from '../testing/ask-vault.ts';
import { ScriptedVault } from '../testing/scripted-vault.ts';

const patience = { timeout: 40_000 };
const patient = { timeout: 180_000 };
const echo =
  '```scripted\ntool: echo\ntext: hello\n```\n\nText.\n\n```mcp-result\nolder\n```\n\nBelow.\n';
const hang = '```scripted\ntool: hang\n```\n\nBelow.\n';

const nothing = {
  timers: 0,
  frames: 0,
  listeners: [],
  events: 0,
  elements: [],
  styles: [],
  node: {},
};

function openWith(note: string, script: ServerScript = {}): Promise<ScriptedVault> {
  const data = (home: string) => {
    const server = scriptedServerConfig({ journal: join(home, 'journal'), ...script });
    return JSON.stringify({ version: 1, mcpServers: [server] });
  };
  return ScriptedVault.open(note, { data });
}

/** Disables the plugin and waits until nothing of it is left, and its servers have ended. */
async function leavesNothing({ obsidian, journal }: ScriptedVault): Promise<void> {
  const { harness } = obsidian;
  await harness.evaluate((each) => each.unload());
  const leftovers = () => harness.evaluate((each) => each.leftovers());
  await expect.poll(async () => (await leftovers()).elements, patience).toEqual([]);
  // What the editors of the panes listen to goes with them.
  await harness.evaluate((each) => each.closeAll());
  await expect.poll(leftovers, patience).toEqual(nothing);
  expect(journal.map(({ pid }) => pid).filter(isRunning)).toEqual([]);
}

test(
  'leaves nothing behind when idle, in Live Preview and in Reading view, and works after ten reloads',
  patient,
  async () => {
    await using vault = await openWith(echo);
    const { harness } = vault.obsidian;
    await vault.show('source');
    await vault.show('preview');
    await harness.evaluate((each) => each.unload());
    // Asked by hand: a locator's question for all texts leaves listeners of its own. An editor that loses
    // our extensions may draw its blocks anew, as the plain text that they are then.
    const plainTexts = () =>
      [...document.querySelectorAll<HTMLElement>('pre code')]
        .filter((el) => el.offsetParent !== null && el.closest('.cm-editor') === null)
        .map(({ textContent }) => textContent);
    expect(await harness.evaluate(plainTexts)).toEqual(['tool: echo\ntext: hello', 'older']);
    await leavesNothing(vault);
    await harness.evaluate(async (each) => {
      for (let round = 0; round < 10; round += 1) await each.reload();
    });
    await vault.show('source');
    await vault.agreeAndRun();
    await vault.hasState('fresh');
    await leavesNothing(vault);
  },
);

test('leaves nothing behind while a call runs', async () => {
  await using vault = await openWith(hang);
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await leavesNothing(vault);
  expect(vault.obsidian.file('note.md')).toBe(hang);
});

test('a reload in the middle of a run ends its server, tells the person, and keeps what was agreed to', async () => {
  await using vault = await openWith(hang);
  const { harness } = vault.obsidian;
  await vault.show('source');
  await vault.agreeAndRun();
  const { pid } = await vault.heard('call');
  await harness.evaluate((each) => each.reload());
  expect(await vault.notice('Errand was unloaded while a block ran.')).toContain(
    'may have taken effect',
  );
  await expect.poll(() => isRunning(pid), patience).toBe(false);
  expect(vault.obsidian.file('note.md')).toBe(hang);
  await vault.hasState('new');
  // Agreed to before: nobody is asked again.
  await vault.press('Run');
  const calls = () => vault.journal.filter(({ kind }) => kind === 'call');
  await expect.poll(() => calls().length, patience).toBe(2);
  expect(calls().at(-1)?.pid).not.toBe(pid);
  await vault.command('Open side view');
  await vault.obsidian.page.locator('.errand-call', { hasText: 'hang' }).first().waitFor();
  await leavesNothing(vault);
});

test('leaves nothing behind while a question is open', async () => {
  await using vault = await openWith(echo);
  await vault.show('source');
  await vault.press('Run');
  await vault.obsidian.page.getByRole('button', { name: 'Agree and run' }).waitFor();
  await leavesNothing(vault);
  expect(await vault.obsidian.page.getByRole('dialog').count()).toBe(0);
});

test('leaves nothing behind while an answer needs approval beside the side view', async () => {
  const call = { name: 'scripted__write', arguments: {} };
  await using vault = await AskVault.of('#User : q\n', { script: [{ calls: [call] }] });
  await vault.edit('#User : q');
  await vault.command('Open side view');
  await vault.obsidian.page.getByRole('heading', { name: 'Servers' }).waitFor();
  await vault.obsidian.harness.evaluate((each) => each.activate(0));
  await vault.ask();
  await vault.obsidian.page.getByRole('dialog').waitFor();
  await leavesNothing(vault);
  expect(await vault.obsidian.page.getByRole('dialog').count()).toBe(0);
  expect(vault.journal.filter(({ kind }) => kind === 'call')).toEqual([]);
});

test('leaves nothing behind while a server is starting', async () => {
  await using vault = await openWith(echo, { onStart: 'hang' });
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('started');
  await vault.obsidian.page.getByRole('status').getByText('Waiting for its server').waitFor();
  await leavesNothing(vault);
});

test('leaves nothing behind while a server is retried', async () => {
  await using vault = await openWith(echo, { onStart: 'exit' });
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.notice('Could not start MCP server scripted, retrying...');
  await leavesNothing(vault);
});

test('leaves nothing behind when it is disabled before it has started', async () => {
  await using vault = await openWith(echo);
  await vault.show('source');
  await vault.obsidian.harness.evaluate(async (each) => {
    const loading = each.reload();
    each.unload();
    await loading;
  });
  await leavesNothing(vault);
});

test('ends its servers when the window closes without asking', async () => {
  await using vault = await openWith(hang, { onEndOfInput: 'ignore' });
  await vault.show('source');
  await vault.agreeAndRun();
  const { pid } = await vault.heard('call');
  await vault.obsidian.page.evaluate(() => window.dispatchEvent(new Event('beforeunload')));
  await expect.poll(() => isRunning(pid), patience).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
