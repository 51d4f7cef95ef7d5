import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly remedy?: string;
}

/** Ways to break a machine, and what the doctor must find. */
const brokenMachines: Readonly<
  Record<string, { break(vault: TestVault): void; found: Partial<Record<keyof Finding, unknown>> }>
> = {
  'others can enter the state folder': {
    break(vault) {
      mkdirSync(join(vault.home, 'state/errand'), { recursive: true });
      chmodSync(join(vault.home, 'state/errand'), 0o755);
    },
    found: {
      check: 'State folder',
      status: 'problem',
      remedy: expect.stringContaining('chmod 700'),
    },
  },
  'a file is where the state folder should be': {
    break(vault) {
      mkdirSync(join(vault.home, 'state'), { recursive: true });
      writeFileSync(join(vault.home, 'state/errand'), '');
    },
    found: { check: 'State folder', status: 'problem', remedy: expect.stringContaining('mv ') },
  },
  'a file is where a folder above the state folder should be': {
    break(vault) {
      mkdirSync(vault.home, { recursive: true });
      writeFileSync(join(vault.home, 'state'), '');
    },
    found: {
      check: 'State folder',
      status: 'problem',
      remedy: expect.stringMatching(/mv '.*home\/state' /),
    },
  },
  'the hooks are broken': {
    break: (vault) =>
      writeFileSync(vault.path('.errand/hooks.json'), '{ "version": 1, "hooks": [{}] }'),
    found: {
      check: 'Hooks',
      status: 'problem',
      message: expect.stringMatching(/^line 1: /),
      remedy: expect.stringContaining('.errand/hooks.json'),
    },
  },
  'the settings are not JSON': {
    break: (vault) => vault.writeSettings('{ "version": 1,'),
    found: {
      check: 'Settings',
      status: 'problem',
      message: expect.stringContaining('settings.json, line 1'),
      remedy: expect.stringContaining('.errand/settings.json'),
    },
  },
  'an entry of the settings is wrong': {
    break: (vault) => vault.writeSettings('{ "version": 1, "mcpServers": [{ "name": "a b" }] }'),
    found: {
      check: 'Settings',
      status: 'problem',
      message: expect.stringContaining('mcpServers[0]'),
    },
  },
  'a secret has no value': {
    break: (vault) => vault.add(local('weather', 'node', { KEY: '$' + '{secret:weather-key}' })),
    found: { check: 'Secret', status: 'problem', remedy: 'Set it: errand secrets set weather-key' },
  },
  "a server's program is not installed": {
    break: (vault) => vault.add(local('weather', 'no-such-program')),
    found: {
      check: 'Server weather',
      status: 'problem',
      remedy: expect.stringContaining('errand servers edit weather'),
    },
  },
  "a server's program is on the PATH of this terminal only": {
    break(vault) {
      const tools = join(vault.home, 'tools');
      mkdirSync(tools, { recursive: true });
      symlinkSync(process.execPath, join(tools, 'only-here'));
      vault.env.PATH = `${tools}:${vault.env.PATH}`;
      vault.env.SHELL = '/bin/sh';
      vault.add(local('weather', 'only-here'));
    },
    found: {
      check: 'Server weather',
      status: 'warning',
      remedy: expect.stringMatching(/edit weather -- .*tools\/only-here$/),
    },
  },
  "a server's program is on the PATH of this terminal only, and has arguments": {
    break(vault) {
      const tools = join(vault.home, 'tools');
      mkdirSync(tools, { recursive: true });
      symlinkSync(process.execPath, join(tools, 'only-here'));
      vault.env.PATH = `${tools}:${vault.env.PATH}`;
      vault.env.SHELL = '/bin/sh';
      const localConfig = { command: 'only-here', args: ['server.js'] };
      vault.add(localServer('weather', { localConfig }));
    },
    found: {
      check: 'Server weather',
      status: 'warning',
      // A command of `servers edit` would take the arguments away.
      remedy: expect.stringMatching(
        /tools\/only-here, as "command" of "weather" in .*settings\.json/,
      ),
    },
  },
  'a container is wanted and no engine runs': {
    break(vault) {
      vault.env.DOCKER_HOST = `unix://${join(vault.home, 'no.sock')}`;
      const dockerConfig = { image: 'weather', containerName: 'weather' };
      vault.add(localServer('weather', { deploymentType: 'managed', dockerConfig }));
    },
    found: {
      check: 'Containers',
      status: 'problem',
      message: expect.stringContaining('weather cannot start'),
      remedy: expect.stringContaining('DOCKER_HOST='),
    },
  },
  'a proxy is not an address': {
    break(vault) {
      vault.env.HTTPS_PROXY = 'not an address';
    },
    found: {
      check: 'Proxy',
      status: 'problem',
      remedy: expect.stringContaining('unset HTTPS_PROXY'),
    },
  },
  'git is not installed': {
    break(vault) {
      vault.env.PATH = join(vault.home, 'empty');
    },
    found: { check: 'git', status: 'warning', remedy: expect.stringContaining('Install git') },
  },
  'the folder is not a vault': {
    break: (vault) => rmSync(vault.path('.errand'), { recursive: true }),
    found: { check: 'Vault', status: 'warning', remedy: 'Make it one: errand init' },
  },
};

test.each(Object.entries(brokenMachines))(
  'errand doctor finds that %s',
  patient,
  async (_, machine) => {
    using vault = new TestVault({});
    machine.break(vault);
    const { code, json } = await vault.json('doctor');
    const { findings } = json as { readonly findings: readonly Finding[] };
    expect(findings).toContainEqual(expect.objectContaining(machine.found));
    expect(code).toBe(findings.some(({ status }) => status === 'problem') ? 1 : 0);
    for (const { status, remedy } of findings) expect(remedy === undefined).toBe(status === 'ok');
  },
);

test('errand doctor finds programs where servers are started from', patient, async () => {
  using vault = new TestVault({});
  mkdirSync(join(vault.home, '.local/bin'), { recursive: true });
  mkdirSync(vault.path('tools'));
  for (const program of [join(vault.home, '.local/bin/mine'), vault.path('tools/server')]) {
    symlinkSync(process.execPath, program);
  }
  vault.env.PATH = '/usr/bin:/bin';
  vault.env.SHELL = '/bin/sh';
  vault.add(local('own', './tools/server'), local('home', 'mine'));
  for (const name of ['own', 'home']) {
    expect(await found(vault, `Server ${name}`)).toMatchObject({ status: 'ok' });
  }
});

test('errand doctor finds a program that owns the vault and does not answer', patient, async () => {
  using vault = await TestVault.agreed();
  using up = vault.start('up');
  await up.says(/Server fix is connected/);
  expect(await found(vault, 'Owner')).toMatchObject({ status: 'ok' });
  up.child.kill('SIGSTOP');
  const owner = await found(vault, 'Owner');
  expect(owner).toMatchObject({
    status: 'problem',
    message: expect.stringContaining(`${up.child.pid}`),
  });
  up.child.kill('SIGCONT');
});

test(
  'errand doctor finds nothing wrong on a machine that works, and says nothing secret',
  patient,
  async () => {
    using vault = new TestVault();
    expect(await vault.errand('run', 'Welcome.md')).toMatchObject({ code: 0 });
    vault.env.HTTPS_PROXY = 'http://me:hunter2@127.0.0.1:3128';
    vault.env.GITHUB_TOKEN = 'hunter2';
    const { code, stdout, stderr } = await vault.errand('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('PROBLEM');
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain('State folder');
  },
);

async function found(vault: TestVault, check: string): Promise<Finding | undefined> {
  const { findings } = (await vault.json('doctor')).json as {
    readonly findings: readonly Finding[];
  };
  return findings.find((finding) => finding.check === check);
}

function local(name: string, command: string, env: Readonly<Record<string, string>> = {}) {
  return localServer(name, { localConfig: { command, env } });
}
