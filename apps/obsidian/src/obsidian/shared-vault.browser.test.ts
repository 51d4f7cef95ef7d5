import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../testing/scripted-vault.ts';

const echo = '```scripted\ntool: echo\ntext: hello\n```\n';
const program = join(import.meta.dirname, '../../../cli/src/main.ts');
const soon = { timeout: 30_000 };
const long = { timeout: 240_000 };

/** A command on the same vault, by the same person. */
function errand({ obsidian: { home } }: ScriptedVault, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: join(home, 'vault'),
    env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const serving = errand(vault, 'serve', '--port', '0');
  await once(serving.stdout ?? serving, 'data');
  await expect.poll(() => isRunning(before), soon).toBe(false);
  await vault.press('Run again');
  await expect.poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, soon).toBe(2);
  expect(starts(vault)).toHaveLength(2);
  const ended = once(serving, 'exit');
  serving.kill('SIGTERM');
  await ended;
  await vault.hasState('fresh');
  await vault.press('Run again');
  await expect.poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, soon).toBe(3);
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
