import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { JobInfo, Json, StepInfo } from './job-engine.ts';
import type { JobStore, JobWriter, StoredStep } from './job-store.ts';
import { JobsError } from './jobs-error.ts';

const format = 1;

/**
 * Keeps jobs in one file, for one process at a time. What was written is on the disk: jobs are for what must not
 * be lost, and must not happen twice. With `isReadOnly` the file has to exist, and is only looked at.
 */
export function sqliteStore(file: string, { isReadOnly = false } = {}): JobStore {
  const database = openDatabase(file, isReadOnly);
  const query = statements(database);
  const writer: JobWriter = {
    add: ({ id, flow, key, state, input, createdAt }) =>
      void query.add.run(id, flow, key ?? null, state, JSON.stringify(input), createdAt),
    change(id, change) {
      for (const [field, value] of Object.entries(change)) {
        const isText = field === 'result' || field === 'error';
        const stored = isText && value !== null ? JSON.stringify(value) : (value as string | null);
        database.prepare(`UPDATE jobs SET ${columns[field]} = ? WHERE id = ?`).run(stored, id);
      }
    },
    putStep: (job, step) =>
      void query.putStep.run(
        job,
        step.name,
        step.state,
        step.attempts,
        step.startedAt,
        step.endedAt ?? null,
        step.dueAt ?? null,
        step.error === undefined ? null : JSON.stringify(step.error),
        step.value === undefined ? null : JSON.stringify(step.value),
      ),
    dropUnfinishedSteps: (job) => void query.dropSteps.run(job),
    addSignal: (job, topic, value) => void query.addSignal.run(job, topic, JSON.stringify(value)),
    takeSignal(job, topic) {
      const taken = query.takeSignal.get(job, topic);
      return taken && { value: JSON.parse(String(taken.value)) as Json };
    },
    prune(endedBefore) {
      const { changes } = query.prune.run(endedBefore);
      query.pruneSteps.run();
      query.pruneSignals.run();
      return Number(changes);
    },
  };
  return {
    find: (id) => asJob(query.find.get(id)),
    steps: (id) => query.steps.all(id).map(asStep),
    list: ({ flow = null, state = null, limit }) =>
      query.list.all(flow, flow, state, state, limit).flatMap((row) => asJob(row) ?? []),
    unfinished: () =>
      query.unfinished.all().map(({ id, flow, key }) => ({
        id: String(id),
        flow: String(flow),
        ...(key !== null && { key: String(key) }),
      })),
    startsSince: (flow, time) => query.starts.all(flow, time).map(({ at }) => Number(at)),
    write(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work(writer);
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

const columns: Readonly<Record<string, string>> = {
  state: 'state',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  result: 'result',
  error: 'error',
};

function openDatabase(file: string, isReadOnly: boolean): DatabaseSync {
  // Inputs and results are nobody else's business.
  if (!isReadOnly) closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { readOnly: isReadOnly });
  try {
    if (isReadOnly) {
      checkFormat(database, file);
      return database;
    }
    // Two processes would run the same jobs.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('BEGIN IMMEDIATE');
    prepare(database, file);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error instanceof JobsError ? error : refusal(file, error);
  }
}

function checkFormat(database: DatabaseSync, file: string): number {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found <= format) return found;
  const message = `${file} has format ${found}, made by a newer program; this one reads format ${format}.`;
  throw new JobsError('newer_file', message);
}

function prepare(database: DatabaseSync, file: string): void {
  if (checkFormat(database, file) === format) return;
  database.exec(`
    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, flow TEXT NOT NULL, key TEXT, state TEXT NOT NULL,
      input TEXT NOT NULL, result TEXT, error TEXT,
      created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER);
    CREATE INDEX jobs_unfinished ON jobs (seq) WHERE state IN ('queued', 'running');
    CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX jobs_started ON jobs (flow, started_at);
    CREATE TABLE steps (
      job TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
      started_at INTEGER NOT NULL, ended_at INTEGER, due_at INTEGER, error TEXT, value TEXT,
      PRIMARY KEY (job, name)) WITHOUT ROWID;
    CREATE TABLE signals (seq INTEGER PRIMARY KEY, job TEXT NOT NULL, topic TEXT NOT NULL, value TEXT NOT NULL);
    CREATE INDEX signals_by_job ON signals (job, topic, seq);
    PRAGMA user_version = ${format};
  `);
}

function refusal(file: string, error: unknown): unknown {
  const { errcode } = error as { readonly errcode?: number };
  const code = Number(errcode) & 0xff;
  if (code === 5)
    return new JobsError('in_use', `Another program has ${file} open.`, { cause: error });
  if (code === 11 || code === 26) {
    const message = `${file} is damaged, or no file of jobs.`;
    return new JobsError('damaged_file', message, { cause: error });
  }
  return error;
}

function statements(database: DatabaseSync) {
  return {
    add: database.prepare(
      'INSERT INTO jobs (id, flow, key, state, input, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    putStep: database.prepare('INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    dropSteps: database.prepare("DELETE FROM steps WHERE job = ? AND state <> 'done'"),
    addSignal: database.prepare('INSERT INTO signals (job, topic, value) VALUES (?, ?, ?)'),
    takeSignal: database.prepare(
      `DELETE FROM signals WHERE seq = (SELECT min(seq) FROM signals WHERE job = ? AND topic = ?)
       RETURNING value`,
    ),
    prune: database.prepare('DELETE FROM jobs WHERE ended_at < ?'),
    pruneSteps: database.prepare('DELETE FROM steps WHERE job NOT IN (SELECT id FROM jobs)'),
    pruneSignals: database.prepare(
      "DELETE FROM signals WHERE job IN (SELECT id FROM jobs WHERE state NOT IN ('queued', 'running'))",
    ),
    find: database.prepare('SELECT * FROM jobs WHERE id = ?'),
    steps: database.prepare('SELECT * FROM steps WHERE job = ? ORDER BY started_at'),
    list: database.prepare(
      'SELECT * FROM jobs WHERE (? IS NULL OR flow = ?) AND (? IS NULL OR state = ?) ORDER BY seq DESC LIMIT ?',
    ),
    unfinished: database.prepare(
      "SELECT id, flow, key FROM jobs WHERE state IN ('queued', 'running') ORDER BY seq",
    ),
    starts: database.prepare(
      'SELECT started_at AS at FROM jobs WHERE flow = ? AND started_at > ? ORDER BY started_at',
    ),
  };
}

type Row = Readonly<Record<string, SQLOutputValue>>;

function asJob(row: Row | undefined): JobInfo | undefined {
  if (row === undefined) return undefined;
  return {
    id: String(row.id),
    flow: String(row.flow),
    ...(row.key !== null && { key: String(row.key) }),
    state: row.state as JobInfo['state'],
    input: JSON.parse(String(row.input)),
    ...(row.result !== null && { result: JSON.parse(String(row.result)) }),
    ...(row.error !== null && { error: JSON.parse(String(row.error)) }),
    createdAt: Number(row.created_at),
    ...(row.started_at !== null && { startedAt: Number(row.started_at) }),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
  };
}

function asStep(row: Row): StoredStep {
  return {
    name: String(row.name),
    state: row.state as StepInfo['state'],
    attempts: Number(row.attempts),
    startedAt: Number(row.started_at),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    ...(row.due_at !== null && { dueAt: Number(row.due_at) }),
    ...(row.error !== null && { error: JSON.parse(String(row.error)) }),
    ...(row.value !== null && { value: JSON.parse(String(row.value)) }),
  };
}
