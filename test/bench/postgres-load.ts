import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What a stretch of work cost PostgreSQL. */
export interface PostgresLoad {
  readonly transactions: number;
  /** Connections that waited for a lock, on average. */
  readonly waiting: number;
  /** Processor time of all its processes. */
  readonly cpuMs: number;
}

/** Watches a PostgreSQL on this machine while something works. */
export async function loadOf<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly load: PostgresLoad }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const postmaster = Number(statOf(rows[0].pid)[1]);
    const before = { transactions: await transactions(client), cpuMs: cpuMsOf(postmaster) };
    const samples: number[] = [];
    const over = new AbortController();
    const sampling = sample(client, samples, over.signal);
    const result = await work().finally(() => over.abort());
    await sampling;
    const load = {
      // Without those of the samples.
      transactions: (await transactions(client)) - before.transactions - samples.length,
      waiting: samples.reduce((sum, count) => sum + count, 0) / Math.max(1, samples.length),
      cpuMs: cpuMsOf(postmaster) - before.cpuMs,
    };
    return { result, load };
  } finally {
    await client.end();
  }
}

async function sample(client: pg.Client, samples: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await client.query(
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    );
    samples.push(rows[0].count);
    await sleep(50);
  }
}

async function transactions(client: pg.Client): Promise<number> {
  // Sessions report what they did once a second.
  await sleep(1_100);
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query(
    'SELECT sum(xact_commit)::integer AS count FROM pg_stat_database',
  );
  return rows[0].count;
}

/** Of a process, its children, and those that have ended. */
function cpuMsOf(postmaster: number): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === postmaster,
  );
  const own = statOf(postmaster).slice(11, 15);
  const theirs = children.flatMap((child) => statOf(child).slice(11, 13));
  return [...own, ...theirs].reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** The fields of `/proc/PID/stat` from the state on; nothing when the process has ended. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}
