import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createProgramPath } from './program-path.ts';

const desktopPath = '/usr/bin:/bin:/usr/sbin:/sbin';

const find = (environment: NodeJS.ProcessEnv, has = 'tool', patienceMs?: number) =>
  createProgramPath(
    environment,
    patienceMs,
  )((path) => path.split(':').some((folder) => existsSync(join(folder, has))));

test('keeps a PATH that has the program, and asks nobody', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'tool'), '');
  const PATH = `${folder.path}:${desktopPath}`;
  const SHELL = shellIn(folder.path, 'touch "$(dirname "$0")/asked"');
  expect(await find({ PATH, SHELL })).toBe(PATH);
  expect(existsSync(join(folder.path, 'asked'))).toBe(false);
});

const answering = (path: string) =>
  // What a start-up file of a person might do.
  `echo "Welcome back!"; export PATH=${path}; shift; eval "$1"`;

test.each([desktopPath, undefined])(
  'prefers what the login shell has when PATH is %s',
  async (path) => {
    await using folder = await temporaryFolder();
    const SHELL = shellIn(folder.path, answering('/opt/tools/bin:/usr/bin:/bin'));
    const found = await find({ SHELL, ...(path && { PATH: path }) }, 'sh');
    expect(found).toMatch(/^\/opt\/tools\/bin:\/usr\/bin:\/bin:/);
  },
);

test('adds what the login shell has when the PATH of a desktop lacks the program', async () => {
  await using folder = await temporaryFolder();
  const SHELL = shellIn(folder.path, answering(`${folder.path}:/usr/bin`));
  const PATH = `/usr/local/bin:${desktopPath}`;
  const programPath = createProgramPath({ SHELL, PATH });
  const asked: string[] = [];
  const hasProgram = (path: string) => {
    asked.push(path);
    return path.includes(folder.path);
  };
  const found = await programPath(hasProgram);
  expect(found).toMatch(new RegExp(`^${PATH}:${folder.path}`));
  // What the shell answered is remembered.
  expect(await programPath(hasProgram)).toBe(found);
  expect(asked).toEqual([PATH, found]);
});

test('adds the folders of version managers that are there', async () => {
  await using folder = await temporaryFolder();
  for (const path of [
    '.cargo/bin',
    '.nvm/versions/node/v9.1.0/bin',
    '.nvm/versions/node/v22.3.0/bin',
  ]) {
    mkdirSync(join(folder.path, path), { recursive: true });
  }
  const PATH = `/usr/local/bin:${desktopPath}`;
  const found = (await find({ HOME: folder.path, PATH, SHELL: '/no/such/shell' })).split(':');
  expect(found.filter((path) => path.startsWith(folder.path))).toEqual([
    join(folder.path, '.cargo/bin'),
    join(folder.path, '.nvm/versions/node/v22.3.0/bin'),
  ]);
});

test.each(['exit 1', 'echo only noise'])(
  'falls back without a shell that does: %s',
  async (script) => {
    await using folder = await temporaryFolder();
    const SHELL = shellIn(folder.path, script);
    expect(await find({ SHELL, PATH: desktopPath })).toContain(desktopPath);
    expect(await find({ SHELL: '/no/such/shell' })).toContain('/usr/bin');
  },
);

test('does not wait for a shell that never answers', async () => {
  await using folder = await temporaryFolder();
  const SHELL = shellIn(folder.path, 'sleep 600');
  expect(await find({ SHELL, PATH: desktopPath }, 'tool', 50)).toContain(desktopPath);
});

function shellIn(folder: string, script: string): string {
  const path = join(folder, 'shell');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
