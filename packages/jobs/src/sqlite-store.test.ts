import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import type { FlowContext } from './job-engine.ts';
import { sqliteStore } from './sqlite-store.ts';
import { StoredJobs } from './stored-jobs.ts';
import { jobsConformance } from './testing/jobs-conformance.ts';
import { openJobs } from './testing/sqlite-jobs.ts';

jobsConformance('on SQLite', openJobs, {
  module: new URL('./testing/sqlite-jobs.ts', import.meta.url),
});

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
