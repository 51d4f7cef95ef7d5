import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fileAt } from './file-at.ts';
import { findProcess, ownInstance, pidSpace } from './processes/index.ts';
import { withFileLock } from './with-file-lock.ts';

test('runs one task at a time', async () => {
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
  await Promise.all(Array.from({ length: 20 }, () => lockFile(path, work)));
  expect(most).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
});

test('releases the lock when the task fails', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const failing = lockFile(path, () => Promise.reject(new Error('on purpose')));
  await expect(failing).rejects.toThrow('on purpose');
  expect(await readdir(folder.path)).toEqual([]);
});

test('takes over at once from a process that was killed', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using holder = await holdLock(path);
  await holder.kill();
  expect(await readdir(folder.path)).toEqual(['file.lock']);
  expect(await lockFile(path, async () => 'done', undefined, { patience: 1 })).toBe('done');
});

test('takes over when the number of the killed process was given to another', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const owner = { pid: process.pid, startedAt: 'long ago', host: `${hostname()} ${pidSpace()}` };
  await writeFile(`${path}.lock`, JSON.stringify(owner));
  expect(await lockFile(path, async () => 'done', undefined, { patience: 1 })).toBe('done');
});

test('takes over from an instance that its process has dropped, and from no other', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const startedAt = (await findProcess(process.pid))?.startedAt;
  const owner = { pid: process.pid, startedAt, host: `${hostname()} ${pidSpace()}` };
  const held = async (instance: string | undefined) => {
    await writeFile(`${path}.lock`, JSON.stringify({ ...owner, instance }));
    return lockFile(path, async () => 'done', undefined, { patience: 1 });
  };
  expect(await held('of a window that was loaded anew')).toBe('done');
  await expect(held(undefined)).rejects.toThrow('does not let go');
  vi.stubGlobal('process', Object.assign(Object.create(process), { type: 'renderer' }));
  const own = ownInstance();
  vi.unstubAllGlobals();
  expect(own).toBeDefined();
  await expect(held(own)).rejects.toThrow('does not let go');
  expect(ownInstance()).toBeUndefined();
});

test('never takes over from a living process and names it', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using holder = await holdLock(path);
  const waiting = lockFile(path, async () => 'done', undefined, {
    patience: 50,
    abandonedAfter: 1,
  });
  await expect(waiting).rejects.toThrow(`Process ${holder.pid} holds ${path}.lock`);
  expect(await readFile(`${path}.lock`, 'utf8')).toContain(`"pid":${holder.pid}`);
});

test.each([
  ['of another machine', JSON.stringify({ pid: 1, startedAt: 'x', host: 'elsewhere.example' })],
  [
    'of another sandbox on this machine',
    JSON.stringify({ pid: process.pid, startedAt: 'x', host: `${hostname()} pid:[1]` }),
  ],
  ['that nobody signed', ''],
])('takes over a lock %s when it has not changed for long', async (_whose, text) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await writeFile(`${path}.lock`, text);
  const early = lockFile(path, async () => 'done', undefined, { patience: 1 });
  await expect(early).rejects.toThrow('does not let go');
  expect(await lockFile(path, async () => 'done', undefined, { abandonedAfter: 20 })).toBe('done');
});

test.each([
  ['a link to nothing', (path: string) => symlink('nowhere', path)],
  ['a link to a file', (path: string) => symlink('/etc/hostname', path)],
  ['a pipe', async (path: string) => void execFileSync('mkfifo', [path])],
])('neither reads nor waits for ever for %s in the place of a lock', async (_what, plant) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await plant(`${path}.lock`);
  const done = await lockFile(path, async () => 'done', undefined, { abandonedAfter: 20 });
  expect(done).toBe('done');
  expect(await readdir(folder.path)).toEqual([]);
});

test('takes over when the clock was set back since another one died while it took over', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  const owner = { pid: process.pid, startedAt: 'long ago', host: `${hostname()} ${pidSpace()}` };
  await writeFile(`${path}.lock`, JSON.stringify(owner));
  await writeFile(`${path}.lock.broken`, '');
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(`${path}.lock.broken`, tomorrow, tomorrow);
  expect(await lockFile(path, async () => 'done')).toBe('done');
});

test('stops waiting when it is aborted', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  await using _holder = await holdLock(path);
  const waiting = lockFile(path, async () => 'done', AbortSignal.timeout(20));
  await expect(waiting).rejects.toThrow();
});

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'errand-lock-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function lockFile<Result>(path: string, ...rest: Rest<Result>): Promise<Result> {
  using file = await fileAt(path);
  return await withFileLock(file, ...rest);
}

type Rest<Result> =
  Parameters<typeof withFileLock<Result>> extends [unknown, ...infer Others] ? Others : never;

/** Another process that takes the lock and keeps it until it is ended. */
async function holdLock(path: string) {
  const module = new URL('./with-file-lock.ts', import.meta.url).href;
  const program = `
    import { fileAt } from ${JSON.stringify(import.meta.resolve('./file-at.ts'))};
    import { withFileLock } from ${JSON.stringify(module)};
    await withFileLock(await fileAt(${JSON.stringify(path)}), () => {
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
