import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, TestVault } from './errand-process.ts';
import { shellCommands } from './shell-commands.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = shellCommands(readme);

test('the README shows the two commands and a tour', () => {
  expect(commands.length).toBeGreaterThan(5);
});

// One after the other, as a reader types them; installing and testing are what runs this already.
test('the commands of the README do what it says', { timeout: 120_000 }, async () => {
  using vault = new TestVault();
  const here = { folder: join(vault.folder, '..'), env: vault.env };
  const bin = `'${join(root, 'node_modules/.bin/errand')}'`;
  for (const { command, code } of commands) {
    if (/npm (test|start|run demo)/.test(command)) continue;
    const typed = command.replace('examples/vault', vault.folder).replace('npx errand', bin);
    const ended = await run('sh', ['-c', typed], here);
    expect({ command, ...ended }).toMatchObject({ command, code });
  }
});

// Ctrl-C reaches everything that npm started; who ends npm alone ends only its shell with it.
test.each([
  ['Ctrl-C', (npm: number) => process.kill(-npm, 'SIGINT')],
  ['the end of npm alone', (npm: number) => process.kill(npm, 'SIGTERM')],
])(
  'npm start shows the example vault under the link it prints, until %s',
  {
    timeout: 120_000,
  },
  async (_, end) => {
    expect(commands.map(({ command }) => command)).toContain('npm ci && npm start');
    using vault = new TestVault();
    const { npm, ended, said } = await startByNpm(['start'], vault);
    try {
      const [, link = ''] = /Open (http:\S+)/.exec(said) ?? [];
      const opened = await fetch(link);
      const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const notes = await fetch(new URL('/api/notes', link), { headers: { cookie } });
      expect(await notes.json()).toMatchObject({ notes: expect.arrayContaining(['Welcome.md']) });
    } finally {
      end(npm.pid ?? 0);
      await ended;
    }
  },
);

test('npm run demo -- mail shows a pretended mailbox, until Ctrl-C, and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  expect(commands.map(({ command }) => command)).toContain('npm run demo -- mail');
  using vault = new TestVault();
  const { npm, ended, said } = await startByNpm(['run', 'demo', '--', 'mail'], vault);
  const [, notes = ''] = /The notes are in (.*)\. They/.exec(said) ?? [];
  try {
    const [, link = ''] = /Open (http:\S+)/.exec(said) ?? [];
    const opened = await fetch(link);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const mail = async () =>
      (await fetch(new URL('/api/mail', link), { headers: { cookie } })).json();
    await expect.poll(mail).toMatchObject({ state: 'first-start', unread: 9 });
    expect(existsSync(notes)).toBe(true);
  } finally {
    process.kill(-(npm.pid ?? 0), 'SIGINT');
    await ended;
  }
  expect(existsSync(notes)).toBe(false);
});

/** Runs a script of npm until it prints a link. */
async function startByNpm(args: readonly string[], { env }: TestVault) {
  const npm = spawn('npm', args, { cwd: root, env, detached: true, stdio: 'pipe' });
  // All that it started have its output; it is closed when the last of them has left.
  const ended = once(npm, 'close');
  let said = '';
  for await (const chunk of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (/Open http:\S+\n/.test(said)) break;
  }
  npm.stdout.resume();
  npm.stderr.resume();
  return { npm, ended, said };
}
