import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test(
  "a program's name with --yes means the files of the user, and none of the vault",
  patient,
  async () => {
    using vault = new TestVault({});
    write(vault.path('.vscode/mcp.json'), { servers: { evil: commandOf(vault) } });
    const none = await vault.errand('servers', 'import', 'vscode', '--yes');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('VS Code has no servers in any of its files');
    expect(none.stderr).toContain(
      'This vault brings one along: .vscode/mcp.json. Name that file if you want what is in it.',
    );
    const user = (path: string) => join(vault.home, 'config', path, 'mcp.json');
    const mine = commandOf(vault);
    write(user('Code/User'), { servers: { mine } });
    write(user('Code - Insiders/User'), { servers: { same: mine } });
    write(user('Code/User/profiles/work'), { servers: { mine: { ...mine, env: { A: '1' } } } });
    const imported = await vault.errand('servers', 'import', 'vscode', '--yes');
    expect(imported.stderr).toContain('This vault brings one along: .vscode/mcp.json.');
    expect(vault.settings().mcpServers).toMatchObject([
      { name: 'mine', enabled: true },
      { name: 'mine-2', enabled: true, localConfig: { env: { A: '1' } } },
    ]);
  },
);

test(
  'what a folder brings along for a program is shown as such and asked about on its own',
  patient,
  async () => {
    using vault = new TestVault({});
    const user = join(vault.home, 'config', 'Code/User/mcp.json');
    write(user, { servers: { mine: commandOf(vault) } });
    write(vault.path('.vscode/mcp.json'), {
      servers: { theirs: { ...commandOf(vault), env: { A: '1' } } },
    });
    const refused = await vault.errand('servers', 'import', 'vscode');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'theirs, from .vscode/mcp.json, which came with this folder\n',
    );
    using own = vault.startOnTerminal('errand servers import vscode');
    await own.says(/mine[^,]*│ runs [\s\S]*Import and start them\? \[y\/N\]/);
    own.type('y\r');
    await own.says(/theirs, from .vscode\/mcp.json, which[\s\S]*Import and start them\? \[y\/N\]/);
    own.type('n\r');
    expect(await own.ended).toMatchObject({ code: 2 });
    expect(vault.settings().mcpServers).toMatchObject([{ name: 'mine', enabled: true }]);
    using both = vault.startOnTerminal('errand servers import vscode');
    await both.says(/theirs, from [\s\S]*\[y\/N\]/);
    both.type('y\r');
    expect(await both.ended).toMatchObject({ code: 0 });
    expect(vault.settings().mcpServers).toMatchObject([
      { name: 'mine', enabled: true },
      { name: 'theirs', enabled: true, localConfig: { cwd: '.' } },
    ]);
  },
);

test.runIf(process.platform !== 'win32')(
  'a pipe or a folder is refused at once, not waited for',
  patient,
  async () => {
    using vault = new TestVault({});
    execFileSync('mkfifo', [vault.path('pipe')]);
    for (const path of ['pipe', '.', '/dev/zero']) {
      const { code, stderr } = await vault.errand('servers', 'import', path);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^\S+ cannot be read: .* is not a file\.\n$/);
    }
  },
);

test(
  'shows what a file would start, and neither stores nor starts it without approval',
  patient,
  async () => {
    using vault = new TestVault({});
    write(vault.path('.mcp.json'), {
      mcpServers: { fix: commandOf(vault), npx: { command: 'npx', args: ['-y', 'some-server'] } },
    });
    const refused = await vault.errand('servers', 'import', '.mcp.json');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^fix\n│ runs .*scripted-server/);
    expect(refused.stderr).toContain('│ your approval does not cover: what npx downloads');
    expect(refused.stderr).toMatch(
      /Nothing was imported\. Approve them with --yes, or store them with --disabled\.\n$/,
    );
    expect(await vault.json('servers', 'import', '.mcp.json')).toMatchObject({
      code: 2,
      json: {
        servers: [
          {
            name: 'fix',
            enabled: false,
            does: expect.arrayContaining(['in the folder ., the vault itself']),
            error: { code: 'untrusted' },
          },
          { name: 'npx', enabled: false },
        ],
      },
    });
    expect(vault.settings().mcpServers).toEqual([]);

    expect(await vault.errand('servers', 'import', '.mcp.json', '--disabled')).toMatchObject({
      code: 0,
    });
    expect((await vault.json('trust', '--list')).json).toMatchObject({
      servers: [{ verdict: 'new' }, { verdict: 'new' }],
    });
    expect(readJournal(vault.journal)).toEqual([]);
    expect(existsSync(vault.path('.errand/log'))).toBe(false);
  },
);

test(
  'imports and starts with an approval on the command line, or for one run',
  patient,
  async () => {
    using vault = new TestVault({});
    write(vault.path('.mcp.json'), { mcpServers: { fix: commandOf(vault) } });
    const once = await vault.errand('servers', 'import', '.mcp.json', '--trust');
    expect(once).toMatchObject({ code: 0, stdout: 'fix: enabled\n' });
    expect((await vault.json('trust', '--list')).json).toMatchObject({
      servers: [{ verdict: 'new' }],
    });
    await vault.errand('servers', 'remove', 'fix');
    await vault.errand('servers', 'import', '.mcp.json', '--yes');
    expect((await vault.json('trust', '--list')).json).toMatchObject({
      servers: [{ verdict: 'trusted' }],
    });
  },
);

test('on a terminal a person sees what would be started, and is asked', patient, async () => {
  using vault = new TestVault({});
  write(vault.path('.mcp.json'), { mcpServers: { fix: commandOf(vault) } });
  using no = vault.startOnTerminal('errand servers import .mcp.json');
  await no.says(/│ runs [\s\S]*Import and start them\? \[y\/N\]/);
  no.type('n\r');
  expect(await no.ended).toMatchObject({ code: 2 });
  expect(vault.settings().mcpServers).toEqual([]);
  expect(readJournal(vault.journal)).toEqual([]);
  using yes = vault.startOnTerminal('errand servers import .mcp.json');
  await yes.says(/\[y\/N\]/);
  yes.type('y\r');
  expect(await yes.ended).toMatchObject({ code: 0 });
  expect(vault.settings().mcpServers).toMatchObject([{ name: 'fix', enabled: true }]);
});

test('servers that a vault brings along are shown as such', patient, async () => {
  using vault = new TestVault({ settings: { discovery: ['claude-code'] } });
  write(vault.path('.mcp.json'), { mcpServers: { theirs: { url: 'http://127.0.0.1:9/mcp' } } });
  const { stdout } = await vault.errand('servers', '--offline');
  expect(stdout).toMatch(
    /^theirs +URL +from Claude Code \(.*\.mcp\.json\), which came with this vault$/m,
  );
  expect((await vault.json('servers', '--offline')).json).toMatchObject({
    discovered: [{ name: 'theirs', origins: [{ isFromVault: true }] }],
  });
});

function commandOf(vault: TestVault): object {
  const { command, args } = vault.scripted().localConfig ?? {};
  return { command, args };
}

function write(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
