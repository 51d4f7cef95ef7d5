import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loginShellPath } from './login-shell-path.ts';

const desktopPath = '/usr/bin:/bin:/usr/sbin:/sbin';

test('keeps a PATH that a person has added to', async () => {
  const path = `/home/ada/.local/bin:${desktopPath}`;
  expect(await loginShellPath({ PATH: path, SHELL: '/no/such/shell' })).toBe(path);
});

test.each([desktopPath, undefined])('asks the login shell when PATH is %s', async (path) => {
  await using folder = await temporaryFolder();
  const shell = shellIn(
    folder.path,
    // What a start-up file of a person might do.
    'echo "Welcome back!"; export PATH=/opt/tools/bin:/usr/bin:/bin; shift; eval "$1"',
  );
  expect(await loginShellPath({ SHELL: shell, ...(path && { PATH: path }) })).toBe(
    '/opt/tools/bin:/usr/bin:/bin',
  );
});

test.each(['exit 1', 'echo only noise'])(
  'falls back without a shell that does: %s',
  async (script) => {
    await using folder = await temporaryFolder();
    const SHELL = shellIn(folder.path, script);
    expect(await loginShellPath({ SHELL, PATH: desktopPath })).toBe(desktopPath);
    expect(await loginShellPath({ SHELL: '/no/such/shell' })).toContain('/usr/bin');
  },
);

test('does not wait for a shell that never answers', async () => {
  await using folder = await temporaryFolder();
  const SHELL = shellIn(folder.path, 'sleep 600');
  const signal = AbortSignal.timeout(50);
  expect(await loginShellPath({ SHELL, PATH: desktopPath }, signal)).toBe(desktopPath);
});

function shellIn(folder: string, script: string): string {
  const path = join(folder, 'shell');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
