import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LocalConfig } from '@errand/host';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { inheritedVariables, planLocalLaunch } from './plan-local-launch.ts';

const plan = (config: LocalConfig, path = '/usr/bin:/bin', vaultFolder = '/vault') =>
  planLocalLaunch('x', config, { vaultFolder, folder: '/empty', path });

test('names the program by its full path, and puts relative arguments into the vault', () => {
  const args = ['-c', '.', './a', '--root=../b', 'word', '.hidden', '-'];
  const { command, cwd, ...launch } = plan({ command: 'sh', args });
  expect(command).toMatch(/^\/(usr\/)?bin\/sh$/);
  expect(launch.args).toEqual(['-c', '/vault', '/vault/a', '--root=/b', 'word', '.hidden', '-']);
  expect(cwd).toBe('/empty');
});

test('leaves arguments as they are where the entry names a folder', () => {
  expect(plan({ command: './x', args: ['.', './a'], cwd: '.' })).toMatchObject({
    command: '/empty/x',
    args: ['.', './a'],
  });
  expect(plan({ command: 'bin/x' }).command).toBe('/vault/bin/x');
});

test('searches no folder of the vault, nor one that is relative, and hands none on', async () => {
  await using folder = await temporaryFolder();
  const vault = join(folder.path, 'vault');
  const tool = join(vault, 'bin/tool');
  mkdirSync(dirname(tool), { recursive: true });
  writeFileSync(tool, '#!/bin/sh\n');
  chmodSync(tool, 0o755);
  symlinkSync(dirname(tool), join(folder.path, 'link'));
  const path = ['', '.', 'bin', dirname(tool), join(folder.path, 'link'), '/usr/bin'].join(':');
  const inEntry = { command: 'sh', env: { PATH: `${path}:/bin` } };
  expect(plan(inEntry, '', vault).env.PATH).toBe('/usr/bin:/bin');
  expect(() => plan({ command: 'tool' }, path, vault)).toThrow(
    'there is no program "tool" on the PATH',
  );
  // A person's own programs lie in a vault that is their home.
  vi.stubEnv('HOME', vault);
  expect(homedir()).toBe(vault);
  expect(plan({ command: 'tool' }, path, vault).command).toBe(tool);
  vi.unstubAllEnvs();
});

test('a child gets what it needs to reach the network and npm, and no secret', () => {
  const kept = {
    LC_TIME: 'de_DE.UTF-8',
    TMP: '/var/tmp',
    HTTPS_PROXY: 'http://proxy.example:3128',
    NODE_USE_ENV_PROXY: '1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  };
  const npm = { npm_config_registry: 'https://npm.example/', NPM_CONFIG_CACHE: '/var/cache/npm' };
  const left = {
    GITHUB_TOKEN: 'x',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--inspect',
    npm_config__authToken: 'x',
    'npm_config_//npm.example/:_password': 'x',
  };
  expect(inheritedVariables({ ...kept, ...npm, ...left })).toEqual({ ...kept, ...npm });
  expect(inheritedVariables({ ...kept, ...npm, npm_command: 'exec' })).toEqual(kept);
});
