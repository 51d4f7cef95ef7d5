import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobEngine, type JobsOptions, StoredJobs, sqliteStore } from '@errand/jobs';
import { PostgresJobs } from '@errand/jobs/postgres';
import type { BenchRow } from './bench-row.ts';
import { loadOf } from './postgres-load.ts';

const jobs = 2_000;
const mailboxes = 200;
const steps = ['draft', 'approve', 'send'];
const url = process.env.ERRAND_TEST_POSTGRES ?? '';

/** What a job of three steps costs a worker and PostgreSQL, for 1, 2 and 4 workers in this process, beside the engine on SQLite. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-bench-'));
  try {
    const plain = await measure(async (options) => [
      StoredJobs.open(sqliteStore(join(folder, 'jobs.sqlite')), options),
    ]);
    const rows: BenchRow[] = [];
    for (const workers of [1, 2, 4]) {
      const space = `bench_${randomUUID().slice(0, 8)}`;
      const { result: shared, load } = await loadOf(url, () =>
        measure((options) =>
          Promise.all(
            Array.from({ length: workers }, () => PostgresJobs.open({ url, space, ...options })),
          ),
        ),
      );
      const name = `jobs: ${workers} worker${workers === 1 ? '' : 's'}`;
      const perStep = load.transactions / jobs / steps.length;
      const connections = workers * 5;
      rows.push(
        row(`${name}, processor time per job`, 'ms', shared.cpuMs, plain.cpuMs, 'SQLite'),
        row(`${name}, of PostgreSQL per job`, 'ms', load.cpuMs / jobs, plain.cpuMs, 'SQLite'),
        row(`${name}, jobs`, 'per s', shared.perSecond, plain.perSecond, 'SQLite'),
        row(`${name}, queries per step`, 'count', perStep, 1, 'one for each step'),
        row(
          `${name}, connections that wait for a lock`,
          'count',
          load.waiting,
          connections,
          'all that workers may have',
        ),
      );
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(open: (options: JobsOptions) => Promise<readonly JobEngine[]>) {
  const run: JobsOptions['flows'][string]['run'] = async (input, { step }) => {
    for (const name of steps) await step(name, () => input);
  };
  const engines = await open({ flows: { mail: { run } } });
  const [first] = engines;
  if (first === undefined) throw new Error('There is no engine.');
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: jobs }, (_, index) =>
      first.start('mail', index, { key: `box ${index % mailboxes}` }),
    ),
  );
  while (
    (await first.list({ state: 'queued', limit: 1 })).length +
      (await first.list({ state: 'running', limit: 1 })).length >
    0
  )
    await sleep(20);
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = (jobs * 1_000) / (performance.now() - began);
  for (const engine of engines) await engine[Symbol.asyncDispose]();
  return { cpuMs: (user + system) / 1_000 / jobs, perSecond };
}

function row(
  what: string,
  unit: BenchRow['unit'],
  ours: number,
  peer: number,
  peerName: string,
): BenchRow {
  return { what, unit, ours, peer, peerName, target: 'reported', pass: true };
}
