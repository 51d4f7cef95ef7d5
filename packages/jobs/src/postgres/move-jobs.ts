import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JobsError } from '../jobs-error.ts';
import { markMoved } from '../sqlite-store.ts';
import { Database, type DatabaseOptions } from './database.ts';

/** What was moved, and where the file is kept that is not needed any more. */
export interface MovedJobs {
  readonly jobs: number;
  /** Of these, how many have not ended and go on in the database. */
  readonly unfinished: number;
  readonly keptAs: string;
}

/**
 * Moves the jobs of a file to a database. The file is marked first, so that no engine opens it any more; the database takes
 * all or nothing, and nothing twice. Whatever happens in between, the same again completes it.
 */
export async function moveJobs(file: string, options: DatabaseOptions): Promise<MovedJobs> {
  await using database = new Database(options);
  await database.prepare();
  markMoved(file);
  const { jobs, steps, signals } = readAll(file);
  await database.query('SELECT SPACE.import_jobs($1, $2, $3)', [
    JSON.stringify(jobs),
    JSON.stringify(steps),
    JSON.stringify(signals),
  ]);
  const keptAs = `${file}.moved`;
  rmSync(keptAs, { force: true });
  renameSync(file, keptAs);
  const isOpen = ({ state }: { state?: unknown }) => state === 'queued' || state === 'running';
  return { jobs: jobs.length, unfinished: jobs.filter(isOpen).length, keptAs };
}

type Rows = readonly Readonly<Record<string, unknown>>[];

function readAll(file: string): {
  readonly jobs: Rows;
  readonly steps: Rows;
  readonly signals: Rows;
} {
  if (!existsSync(file)) throw new JobsError('damaged_file', `There is no file ${file}.`);
  using database = new DatabaseSync(file);
  const all = (sql: string) => database.prepare(sql).all();
  return {
    jobs: all('SELECT * FROM jobs ORDER BY seq'),
    steps: all('SELECT * FROM steps'),
    // The number makes it the same signal when it is moved a second time.
    signals: all(
      "SELECT seq, 'moved ' || seq || ' ' || job AS id, job, topic, value FROM signals ORDER BY seq",
    ),
  };
}
