import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from './postgres.ts';
import { identifyProcess, isRunning } from './process-identity.ts';

test('tests get a PostgreSQL in which they may make databases of their own', async () => {
  await using _ = await query(process.env.ERRAND_TEST_POSTGRES ?? '', 'CREATE DATABASE own_one');
  await using __ = await query(process.env.ERRAND_TEST_POSTGRES ?? '', 'DROP DATABASE own_one');
});

test('what was stored is there after a stop and after a kill', async () => {
  await using postgres = await startPostgres();
  {
    await using _ = await query(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS value');
  }
  for (const end of ['stop', 'kill'] as const) {
    await postgres[end]();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.start();
    await using found = await query(postgres.url, 'SELECT value FROM kept');
    expect(found.rows).toEqual([{ value: 1 }]);
  }
});

test('ends when the program that started it is killed', async () => {
  const module = import.meta.resolve('./postgres.ts');
  const script = `
    import { startPostgres } from ${JSON.stringify(module)};
    const { pid } = await startPostgres();
    process.stdout.write(String(pid));
    setInterval(() => {}, 1_000);`;
  const scratch = mkdtempSync(join(tmpdir(), 'errand-postgres-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  // Entered by the account that PostgreSQL runs as.
  chmodSync(scratch, 0o755);
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = await once(program.stdout, 'data');
  const started = identifyProcess(Number(String(chunk)));
  expect(started).toBeDefined();
  program.kill('SIGKILL');
  await expect.poll(() => started && isRunning(started)).toBe(false);
});

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  return { rows, [Symbol.asyncDispose]: () => client.end() };
}
