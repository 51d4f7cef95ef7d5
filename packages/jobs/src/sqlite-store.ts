import { closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Json } from './job-engine.ts';
import type { JobStore, JobWriter } from './job-store.ts';
import { JobsError } from './jobs-error.ts';
import { jobOf, stepOf } from './stored-rows.ts';

const format = 1;
/** Stands in a file whose jobs were moved, or were about to be. */
const movedFormat = 1_000;

/** Whether this program can keep jobs in a file: an editor may bring a Node without SQLite. */
export function hasSqlite(): boolean {
  return loadSqlite() !== undefined;
}

/** Node 22 warns on standard error that its SQLite is experimental, which says nothing to a person. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

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
    find(id) {
      const row = query.find.get(id);
      return row && jobOf(row);
    },
    steps: (id) => query.steps.all(id).map(stepOf),
    list: ({ flow = null, state = null, limit }) =>
      query.list.all(flow, flow, state, state, limit).map(jobOf),
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

/** Marks a file, so that no engine opens it any more. Fails while one has it open. */
export function markMoved(file: string): void {
  if (!existsSync(file)) throw new JobsError('damaged_file', `There is no file ${file}.`);
  using database = openFile(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('BEGIN EXCLUSIVE');
    const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (found !== movedFormat) checkFormat(database, file);
    database.exec(`PRAGMA user_version = ${movedFormat}`);
    database.exec('COMMIT');
    // Everything into the one file, which is about to get another name.
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    throw error instanceof JobsError ? error : refusal(file, error);
  }
}

const columns: Readonly<Record<string, string>> = {
  state: 'state',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  result: 'result',
  error: 'error',
};

/** SQLite is loaded here and not at the import: only those who keep jobs in a file need it. */
function openFile(file: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  const sqlite = loadSqlite();
  if (sqlite === undefined) throw new Error('This Node has no SQLite. Use Node 22.16 or later.');
  return new sqlite.DatabaseSync(file, options);
}

function openDatabase(file: string, isReadOnly: boolean): DatabaseSync {
  // Inputs and results are nobody else's business.
  if (!isReadOnly) closeSync(openSync(file, 'a', 0o600));
  const database = openFile(file, { readOnly: isReadOnly });
  try {
    // Before anything is written: the mode of the journal is stored in the file.
    checkFormat(database, file);
    if (isReadOnly) return database;
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
  if (found === movedFormat) {
    throw new JobsError(
      'moved_file',
      `The jobs of ${file} were moved to a database, or were about to be.`,
    );
  }
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
