import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import type { FlowContext } from './job-engine.ts';
import { sqliteStore } from './sqlite-store.ts';
import { StoredJobs } from './stored-jobs.ts';
import { jobsConformance } from './testing/jobs-conformance.ts';

jobsConformance('on SQLite', async (folder, options) =>
  StoredJobs.open(sqliteStore(join(folder, 'jobs.sqlite')), options),
);

const home = mkdtempSync(join(tmpdir(), 'errand-jobs-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(home, `${++files}.sqlite`);

test('its file is for its owner only, and for one process at a time', () => {
  const file = newFile();
  using _ = sqliteStore(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => sqliteStore(file)).toThrow(expect.objectContaining({ code: 'in_use' }));
});

test('a file of a newer program, and one that is none, are refused and left as they are', () => {
  const newer = newFile();
  using database = new DatabaseSync(newer);
  database.exec('PRAGMA user_version = 2');
  database.close();
  expect(() => sqliteStore(newer)).toThrow(expect.objectContaining({ code: 'newer_file' }));
  const other = newFile();
  writeFileSync(other, 'my notes '.repeat(1_000));
  expect(() => sqliteStore(other)).toThrow(expect.objectContaining({ code: 'damaged_file' }));
  expect(readFileSync(other, 'utf8')).toBe('my notes '.repeat(1_000));
});

test('what a killed program left is read without being changed', async () => {
  const [file, left] = [newFile(), newFile()];
  await using jobs = StoredJobs.open(sqliteStore(file), {
    flows: { a: { run: async (_: unknown, { step }: FlowContext) => step('one', () => 1) } },
  });
  await jobs.start('a', null, { id: 'a' });
  await expect.poll(async () => (await jobs.status('a'))?.state).toBe('done');
  // As they are on the disk when a program is killed: the newest changes are in a file of their own.
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${left}${part}`);
  const before = readFileSync(left);
  await using read = StoredJobs.open(sqliteStore(left, { isReadOnly: true }), { flows: {} });
  expect(await read.list()).toMatchObject([{ id: 'a', state: 'done' }]);
  expect((await read.status('a'))?.steps).toMatchObject([{ name: 'one', state: 'done' }]);
  await expect(read.retry('a')).rejects.toMatchObject({ code: 'not_retryable' });
  expect(readFileSync(left)).toEqual(before);
});

test('as many jobs of a key run at once as the flow says for that key', async () => {
  let running = 0;
  const most: Record<string, number> = {};
  const run = async (key: unknown) => {
    running += 1;
    most[String(key)] = Math.max(most[String(key)] ?? 0, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  };
  await using jobs = StoredJobs.open(sqliteStore(newFile()), {
    flows: { a: { run, perKey: (key) => (key === 'wide' ? 3 : 1) } },
  });
  for (const key of ['wide', 'narrow']) {
    for (let count = 0; count < 6; count += 1) await jobs.start('a', key, { key });
    await expect.poll(async () => (await jobs.list({ state: 'done' })).length % 6).toBe(0);
    await expect.poll(() => running).toBe(0);
  }
  expect(most).toEqual({ wide: 3, narrow: 1 });
});

test('a job of a flow that this program does not know waits for one that does', async () => {
  const file = newFile();
  const run = async () => 'known';
  {
    await using jobs = StoredJobs.open(sqliteStore(file), {
      flows: { a: { run }, b: { run: () => new Promise(() => {}) } },
      drainMs: 10,
    });
    await jobs.start('b', null, { id: 'b' });
  }
  {
    await using jobs = StoredJobs.open(sqliteStore(file), { flows: { a: { run } } });
    expect((await jobs.status('b'))?.state).toBe('running');
  }
  await using jobs = StoredJobs.open(sqliteStore(file), { flows: { b: { run } } });
  await expect.poll(async () => (await jobs.status('b'))?.result).toBe('known');
});

test('closing lets a running step end, and its result is kept', async () => {
  const file = newFile();
  let runs = 0;
  const flows = {
    slow: {
      run: async (_: unknown, context: FlowContext) => {
        await context.step('slow', async () => {
          runs += 1;
          await new Promise((resolve) => setTimeout(resolve, 50));
        });
        await context.sleep(1);
      },
    },
  };
  {
    await using jobs = StoredJobs.open(sqliteStore(file), { flows });
    await jobs.start('slow', null, { id: 'slow' });
    await expect.poll(() => runs).toBe(1);
  }
  await using jobs = StoredJobs.open(sqliteStore(file), { flows });
  await expect.poll(async () => (await jobs.status('slow'))?.state).toBe('done');
  expect(runs).toBe(1);
});

test('a program that is killed at any moment goes on where it was, and no finished step runs again', async () => {
  const file = newFile();
  const trace = join(home, 'trace');
  writeFileSync(trace, '');
  let isDone = false;
  for (let round = 0; round < 60 && !isDone; round += 1) {
    const program = fork(new URL('./testing/killed-program.ts', import.meta.url), [file, trace], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(program, 'exit');
    await Promise.race([once(program, 'message'), exited]);
    // Somewhere in its work, each time elsewhere.
    const timer = setTimeout(() => program.kill('SIGKILL'), 3 + round * 25);
    const [code] = await exited;
    clearTimeout(timer);
    isDone = code === 0;
  }
  expect(isDone).toBe(true);
  const lines = readFileSync(trace, 'utf8').trim().split('\n');
  for (let job = 0; job < 20; job += 1) {
    const steps = lines
      .filter((line) => line.startsWith(`${job}:`))
      .map((line) => line.split(':')[1]);
    // An interrupted step may be there twice, one after the other; a finished one is never gone back to.
    expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual(['a', 'b', 'c']);
  }
  const sends = lines.filter((line) => line.endsWith('once'));
  expect(new Set(sends).size).toBe(sends.length);
});
