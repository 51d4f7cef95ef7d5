import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { withFileLock } from './with-file-lock.ts';

test('lets one work at a time', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await readdir(folder.path);
    working -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => withFileLock(path, work)));
  expect(most).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
});

test('lets go when the work fails', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const failing = withFileLock(path, () => Promise.reject(new Error('on purpose')));
  await expect(failing).rejects.toThrow('on purpose');
  expect(await readdir(folder.path)).toEqual([]);
});

test('takes over at once from a process that was killed', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using holder = await holdLock(path);
  await holder.kill();
  expect(await readdir(folder.path)).toEqual(['file.lock']);
  expect(await withFileLock(path, async () => 'done', undefined, { patience: 1 })).toBe('done');
});

test('takes over when the number of the killed process was given to another', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const owner = { pid: process.pid, startedAt: 'long ago', host: hostname() };
  await writeFile(`${path}.lock`, JSON.stringify(owner));
  expect(await withFileLock(path, async () => 'done', undefined, { patience: 1 })).toBe('done');
});

test('never takes over from a living process and names it', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using holder = await holdLock(path);
  const waiting = withFileLock(path, async () => 'done', undefined, {
    patience: 50,
    abandonedAfter: 1,
  });
  await expect(waiting).rejects.toThrow(`Process ${holder.pid} holds ${path}.lock`);
  expect(await readFile(`${path}.lock`, 'utf8')).toContain(`"pid":${holder.pid}`);
});

test.each([
  ['of another machine', JSON.stringify({ pid: 1, startedAt: 'x', host: 'elsewhere.example' })],
  ['that nobody signed', ''],
])('takes over a lock %s when it has not changed for long', async (_whose, text) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await writeFile(`${path}.lock`, text);
  const early = withFileLock(path, async () => 'done', undefined, { patience: 1 });
  await expect(early).rejects.toThrow('does not let go');
  expect(await withFileLock(path, async () => 'done', undefined, { abandonedAfter: 20 })).toBe(
    'done',
  );
});

test('stops waiting when it is told to', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using _holder = await holdLock(path);
  const waiting = withFileLock(path, async () => 'done', AbortSignal.timeout(20));
  await expect(waiting).rejects.toThrow();
});

/** Another process that takes the lock and keeps it until it is ended. */
async function holdLock(path: string) {
  const module = new URL('./with-file-lock.ts', import.meta.url).href;
  const program = `
    import { withFileLock } from ${JSON.stringify(module)};
    await withFileLock(${JSON.stringify(path)}, () => {
      console.log('held');
      return new Promise(() => setInterval(() => {}, 1000));
    });`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  if (child.stdout) await once(child.stdout, 'data');
  return { pid: child.pid, kill, [Symbol.asyncDispose]: kill };
}
