import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresJobs } from '@errand/jobs/postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from './postgres.ts';

test('a disk of PostgreSQL that is full is told, and every job goes on when there is room', async ({
  skip,
}) => {
  using disk = smallDisk();
  // Only who may mount has a small disk; what the engine does then is also shown without one.
  if (disk === undefined) return skip();
  await using postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const result = randomBytes(10_000).toString('hex');
  await using jobs = await PostgresJobs.open({
    url: postgres.url,
    space: 'full',
    flows: { work: { run: async (_, { step }) => void (await step('one', () => result)) } },
  });
  await client.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
  await client.query('ALTER TABLE errand_full.steps SET TABLESPACE small');
  await client.end();
  for (let id = 0; id < 100; id += 1) await jobs.start('work', null, { id: String(id) });
  const done = async () => (await jobs.list({ state: 'done', limit: 100 })).length;
  await expect.poll(() => jobs.failure?.code).toBe('database_full');
  expect(await done()).toBeLessThan(100);
  disk.grow();
  await expect.poll(done).toBe(100);
  await expect.poll(() => jobs.failure).toBeUndefined();
});

function smallDisk(): (Disposable & { readonly path: string; grow(): void }) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'errand-disk-'));
  const mount = (...args: string[]) =>
    execFileSync('mount', [...args, path], { stdio: ['ignore', 'ignore', 'ignore'] });
  try {
    // PostgreSQL runs as nobody where we are root.
    mount('-t', 'tmpfs', '-o', 'size=1m,mode=0700,uid=65534,gid=65534', 'none');
  } catch {
    rmdirSync(path);
    return undefined;
  }
  return {
    path,
    grow: () => void mount('-o', 'remount,size=64m'),
    [Symbol.dispose]() {
      execFileSync('umount', [path]);
      rmdirSync(path);
    },
  };
}
