import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal, scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test(
  'a server is added with its test, edited in part, renamed, switched and removed',
  patient,
  async () => {
    using vault = new TestVault({});
    const command = commandOf(vault, {});
    const added = await vault.errand('servers', 'add', 'fix', '--env', 'A=1', '--', ...command);
    expect(added).toMatchObject({ code: 0, stdout: 'Added fix, enabled.\n' });
    expect(added.stderr).toMatch(
      /^ {2}ok {5}Starting.*\(\d+.* m?s\)\n {2}ok {5}Connecting \(.*\)\n {2}ok {5}Listing its tools \(.*\)\n {2}ok {5}Checking its health \(.*\)\n {2}\d+ tools\n$/,
    );
    const edited = await vault.json('servers', 'edit', 'fix', '--env', 'B=2', '--timeout', '7');
    expect(edited).toEqual({ code: 0, json: { name: 'fix', enabled: true, error: null } });
    const args = ['servers', 'edit', 'fix', '--rename', 'better', '--approval', 'deny'];
    expect(await vault.errand(...args)).toMatchObject({ code: 0, stdout: 'Changed better.\n' });
    expect(vault.settings().mcpServers).toMatchObject([
      {
        name: 'better',
        localConfig: { command: command[0], args: command.slice(1), env: { A: '1', B: '2' } },
        enabled: true,
        timeout: 7000,
        approval: 'deny',
      },
    ]);
    const unset = ['servers', 'edit', 'better', '--unset-env', 'A', '--cwd', '.'];
    expect(await vault.errand(...unset)).toMatchObject({ code: 0, stdout: 'Changed better.\n' });
    expect(vault.settings().mcpServers).toMatchObject([
      { localConfig: { cwd: '.', env: { B: '2' } } },
    ]);
    const limit = ['servers', 'edit', 'better', '--allow-tool', 'e*', '--deny-tool', 'env*'];
    expect(await vault.errand(...limit)).toMatchObject({ code: 0, stdout: 'Changed better.\n' });
    expect((await vault.errand('servers', 'test', 'better')).stderr).toMatch(/\n {2}1 tool\n$/);
    await vault.errand('servers', 'edit', 'better', '--deny-tool', 'evn*');
    expect((await vault.errand('servers', 'test', 'better')).stderr).toMatch(
      /\n {2}1 tool\n {2}"evn\*" fits none of its tools: echo, /,
    );
    await vault.errand('servers', 'edit', 'better', '--unset-deny-tool', 'evn*');
    const shown = await vault.errand('servers', 'show', 'better');
    expect(shown.stdout).toContain('│ offers only its tools e*\n│ leaves out its tools env*\n');
    expect(shown.stdout).toMatch(/^name +better\nkind +command\n/);
    expect(shown.stdout).toContain('│ runs ');
    expect((await vault.json('servers', 'show', 'better')).json).toMatchObject({
      name: 'better',
      trust: 'trusted',
      entry: {
        localConfig: { env: { B: '2' } },
        approval: 'deny',
        timeout: 7000,
        tools: { allow: ['e*'], deny: ['env*'] },
      },
    });
    expect(await vault.errand('servers', 'log', 'better')).toMatchObject({
      code: 0,
      stderr: '"better" is not running. See what it writes with: errand servers test better\n',
    });
    const listed = await vault.json('servers', 'ls', '--offline');
    expect(listed.json).toMatchObject({ servers: [{ name: 'better' }] });
    expect(await vault.json('servers', 'disable', 'better')).toEqual({
      code: 0,
      json: { name: 'better', disabled: true },
    });
    expect(await vault.errand('call', 'better', 'echo', 'text=a')).toMatchObject({
      code: 1,
      stderr: 'Server better is disabled. Enable it with: errand servers enable better\n',
    });
    expect(await vault.errand('servers', 'remove', 'better')).toMatchObject({ code: 0 });
    expect(vault.settings().mcpServers).toEqual([]);
  },
);

test(
  'stores a server that does not work as disabled, and shows its last output',
  patient,
  async () => {
    using vault = new TestVault({});
    const command = commandOf(vault, { onStart: 'exit', stderr: 'no key given\n' });
    const { code, stdout, stderr } = await vault.errand('servers', 'add', 'fix', '--', ...command);
    expect(code).toBe(1);
    expect(stdout).toBe(
      'Added fix, disabled because it does not work yet. Correct it with: errand servers edit fix\n',
    );
    expect(stderr).toMatch(
      / {2}FAILED Connecting \(.*\)\n {2}Server "fix" exited with code 3\. Check its command, arguments and environment, and change what is wrong with: errand servers edit fix\n {2}Last output:\n {2}│ no key given\n$/,
    );
    // Whoever has just tested it is not told to test it.
    const again = await vault.errand('servers', 'test', 'fix');
    expect(again.stderr).toContain('errand servers edit fix');
    expect(again.stderr).not.toContain('errand servers test');
    expect(vault.settings().mcpServers).toMatchObject([{ name: 'fix', enabled: false }]);
  },
);

test('the list shows how each server is, why, and when it is tried next', patient, async () => {
  using vault = TestVault.trusted();
  const died = { name: 'given-up', enabled: false, autoDisabled: true, failureCount: 3 };
  vault.add(
    vault.scripted(),
    vault.scripted({ onStart: 'exit' }, { name: 'broken' }),
    vault.scripted({}, died),
  );
  expect(await vault.json('servers', '--offline')).toMatchObject({
    code: 0,
    json: { servers: [{ connectionState: 'disconnected', tools: null }, {}, {}] },
  });
  expect(readJournal(vault.journal)).toEqual([]);
  const { code, json } = await vault.json('servers');
  expect(code).toBe(0);
  const { servers } = json as { servers: object[] };
  for (const server of servers) expect(Object.keys(server)).toEqual(fields);
  expect(servers).toMatchObject([
    { name: 'fix', connectionState: 'connected', tools: expect.any(Number), problem: null },
    {
      name: 'broken',
      connectionState: 'error',
      attempt: expect.any(Number),
      nextRetryAt: expect.any(Number),
      problem: {
        code: 'server_unavailable',
        message: expect.stringContaining('exited with code 3'),
      },
    },
    { name: 'given-up', enabled: false, autoDisabled: true, connectionState: 'disconnected' },
  ]);
  const { stdout } = await vault.errand('servers');
  expect(stdout).toMatch(/^fix +command +Connected +\d+ tools +\d+ ms +connected just now$/m);
  expect(stdout).toMatch(
    /^broken +command +Retrying: attempt \d of 3, next try .* never connected\n {2}Server "broken" exited/m,
  );
  expect(stdout).toMatch(/^given-up +command +Disabled after failures/m);
});

const fields = [
  'id',
  'name',
  'transport',
  'deploymentType',
  'enabled',
  'autoDisabled',
  'connectionState',
  'tools',
  'pingLatency',
  'lastConnectedAt',
  'lastAttemptAt',
  'lastFailureAt',
  'attempt',
  'nextRetryAt',
  'autoDisabledAt',
  'problem',
];

test('an edit stores nothing that this machine knows of a server', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted());
  const [stored] = vault.settings().mcpServers;
  await vault.errand('call', 'fix', 'echo', 'text=a');
  await vault.errand('servers', 'edit', 'fix', '--timeout', '7');
  expect(vault.settings().mcpServers).toEqual([{ ...stored, timeout: 7000 }]);
  const { json } = await vault.json('servers', '--offline');
  expect(json).toMatchObject({ servers: [{ lastConnectedAt: expect.any(Number) }] });
});

test('enabling a server that was given up forgets its failures', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted({}, { enabled: false, autoDisabled: true, failureCount: 3 }));
  expect(await vault.errand('call', 'fix', 'echo', 'text=a')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('It was auto-disabled after repeated failures.'),
  });
  await vault.errand('servers', 'enable', 'fix');
  expect(vault.settings().mcpServers).toMatchObject([
    { enabled: true, autoDisabled: false, failureCount: 0 },
  ]);
  expect(await vault.errand('call', 'fix', 'echo', 'text=a')).toMatchObject({ stdout: 'a\n' });
});

test(
  'servers of three other programs are imported, and what is switched off there stays off',
  patient,
  async () => {
    using vault = new TestVault({});
    const { localConfig } = scriptedServerConfig();
    const config = join(vault.home, 'config');
    write(join(config, 'Claude/claude_desktop_config.json'), {
      mcpServers: { 'My Notes': { command: localConfig?.command, args: localConfig?.args } },
    });
    write(join(vault.home, '.cursor/mcp.json'), {
      mcpServers: { crm: { url: 'http://127.0.0.1:9/mcp' } },
    });
    write(vault.path('.vscode/mcp.json'), {
      servers: {
        python: { command: localConfig?.command, args: localConfig?.args, env: { LANG: 'C' } },
      },
    });
    const claude = await vault.errand('servers', 'import', 'claude', '--yes');
    expect(claude).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^My-Notes \(there: "My Notes"\): enabled\n {2}Imported as "My-Notes": the name "My Notes" cannot be used here\./,
      ),
    });
    const cursor = await vault.json('servers', 'import', 'cursor', '--disabled');
    expect(cursor).toMatchObject({
      code: 0,
      json: { servers: [{ name: 'crm', enabled: false, origin: { program: 'cursor' } }] },
    });
    const vscode = await vault.errand('servers', 'import', '.vscode/mcp.json', '--disabled');
    expect(vscode.stdout).toMatch(/^python-server \(there: python\): disabled\n/);
    expect(vault.settings().mcpServers).toMatchObject([
      { name: 'My-Notes', enabled: true },
      { name: 'crm', enabled: false, httpConfig: { url: 'http://127.0.0.1:9/mcp' } },
      { name: 'python-server', enabled: false },
    ]);

    const again = await vault.json('servers', 'import', 'cursor');
    expect(again).toMatchObject({ code: 0, json: { servers: [{ sameAs: 'crm' }] } });
    expect(await vault.errand('servers', 'import', 'claude')).toMatchObject({
      code: 0,
      stdout: '"My Notes": already here, as My-Notes\n',
    });
    expect(vault.settings().mcpServers).toHaveLength(3);
  },
);

test(
  'servers of other programs are shown with their origin when the settings say so',
  patient,
  async () => {
    using vault = new TestVault({ settings: { discovery: ['cursor'] } });
    const file = join(vault.home, '.cursor/mcp.json');
    write(file, { mcpServers: { crm: { url: 'http://127.0.0.1:9/mcp' } } });
    const { stdout } = await vault.errand('servers', '--offline');
    expect(stdout).toMatch(/^crm +URL +from Cursor \(.*\.cursor\/mcp\.json\)$/m);
    expect((await vault.json('servers', '--offline')).json).toMatchObject({
      servers: [],
      discovered: [{ name: 'crm', origins: [{ program: 'cursor', file, name: 'crm' }] }],
    });
  },
);

test('each vault has its own servers, and a folder that is none becomes one', patient, async () => {
  using vault = new TestVault({});
  using other = new TestVault({});
  const elsewhere = ['--vault', other.folder];
  await vault.errand('servers', ...elsewhere, 'add', 'a', '--disabled', '--', 'x');
  await vault.errand('servers', 'add', 'b', '--disabled', '--', 'x');
  expect(other.settings().mcpServers).toMatchObject([{ name: 'a' }]);
  expect(vault.settings().mcpServers).toMatchObject([{ name: 'b' }]);
  const plain = join(vault.home, 'plain');
  mkdirSync(plain, { recursive: true });
  const made = await vault.errand(
    'servers',
    '--vault',
    plain,
    'add',
    'new',
    '--disabled',
    '--',
    'x',
  );
  expect(made).toMatchObject({ code: 0, stderr: `Created .errand/settings.json in ${plain}\n` });
  const missing = await vault.json('servers', '--vault', join(plain, 'nowhere'));
  expect(missing).toMatchObject({ code: 2, json: { error: { code: 'settings_invalid' } } });
});

function commandOf(vault: TestVault, script: Parameters<TestVault['scripted']>[0]): string[] {
  const { command = '', args = [] } = vault.scripted(script).localConfig ?? {};
  return [command, ...args];
}

function write(path: string, content: object): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
