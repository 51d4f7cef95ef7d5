import { createHash } from 'node:crypto';
import pg from 'pg';
import { JobsError } from '../jobs-error.ts';
import type { Row } from '../stored-rows.ts';
import { databaseFailure } from './database-failure.ts';
import { functionsSql, schemaSql, schemaVersion } from './schema-sql.ts';

/** Where jobs are kept: a database, and in it a space of its own for those who share jobs. */
export interface DatabaseOptions {
  readonly url: string;
  /** Programs with the same one share their jobs: `errand` unless said otherwise. */
  readonly space?: string;
  /** Connections that are open at most, besides one that listens: 4 unless said otherwise. */
  readonly connections?: number;
  /** How a program is named in the database's own list of connections. */
  readonly name?: string;
}

/** The tables of one space. Every failure is a `JobsError`. */
export class Database implements AsyncDisposable {
  /** The schema as it stands in SQL. */
  readonly schema: string;
  readonly channel: string;
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;

  constructor({ url, space = 'errand', connections = 4, name = 'errand' }: DatabaseOptions) {
    this.channel = schemaName(space);
    this.schema = `"${this.channel}"`;
    this.#config = {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: 5_000,
      // A connection that was cut without a word would be waited for without end.
      query_timeout: 10_000,
      keepAlive: true,
    };
    this.#pool = new pg.Pool({ ...this.#config, max: connections, idleTimeoutMillis: 10_000 });
    // An idle connection that ends is replaced when it is needed.
    this.#pool.on('error', () => undefined);
  }

  /** Runs one statement; `SPACE.` in it is the schema. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const { rows } = await this.#pool.query(text.replaceAll('SPACE.', `${this.schema}.`), [
        ...values,
      ]);
      return rows;
    } catch (error) {
      throw databaseFailure(error);
    }
  }

  /** A connection of its own, for what must not wait for others. */
  async connect(timeoutMs: number): Promise<pg.Client> {
    const limits = {
      connectionTimeoutMillis: Math.min(timeoutMs, 5_000),
      query_timeout: timeoutMs,
    };
    const client = new pg.Client({ ...this.#config, ...limits });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw databaseFailure(error);
    }
  }

  /** Makes the tables where there are none or older ones; programs that start at once wait for each other. */
  async prepare(): Promise<void> {
    const client = await this.connect(60_000);
    const run = async (sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql.replaceAll('SPACE.', `${this.schema}.`), [...values])).rows;
    const version = async () => {
      const [there] = await run(hasTablesSql, [this.channel]);
      if (there?.yes !== true) return 0;
      return checkedVersion((await run('SELECT version FROM SPACE.format'))[0]?.version);
    };
    try {
      // Whoever finds everything there needs no right to change it.
      if ((await version()) === schemaVersion) return;
      await run('BEGIN');
      await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [this.channel]);
      const found = await version();
      if (found === schemaVersion) return;
      if (found === 0) {
        await run(`CREATE SCHEMA IF NOT EXISTS ${this.schema}`);
        await client.query(schemaSql(this.schema));
        await run('CREATE TABLE SPACE.format (version integer NOT NULL)');
        await run('INSERT INTO SPACE.format VALUES (0)');
      }
      await client.query(functionsSql(this.schema, this.channel));
      await run('UPDATE SPACE.format SET version = $1', [schemaVersion]);
      await run('COMMIT');
    } catch (error) {
      throw databaseFailure(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end().catch(() => undefined);
  }
}

/** Whether a schema has its tables, also for a login that may not use them. */
export const hasTablesSql = `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = 'format') AS yes`;

function checkedVersion(found: unknown): number {
  if (Number(found) <= schemaVersion) return Number(found);
  const message = `The tables have format ${found}, made by a newer program; this one knows format ${schemaVersion}.`;
  throw new JobsError('newer_file', message);
}

/** A name that needs no care in SQL, and that PostgreSQL does not cut off. */
function schemaName(space: string): string {
  if (space === 'errand') return space;
  if (/^[a-z0-9_]{1,40}$/.test(space)) return `errand_${space}`;
  const readable = space
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 30);
  return `errand_${readable}_${createHash('sha256').update(space).digest('hex').slice(0, 8)}`;
}
