import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** An empty database of its own in the PostgreSQL of the tests. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends all connections to it and lets nobody in, or lets everybody in again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Makes a database. */
export async function makeDatabase(): Promise<PostgresDatabase> {
  const server = process.env.ERRAND_TEST_POSTGRES ?? '';
  const name = `gmail_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await ask(server, `CREATE DATABASE ${name}`);
  const kick = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  return {
    url: url.href,
    query: (text) => ask(url.href, text),
    async close() {
      await ask(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await ask(server, kick);
    },
    async open() {
      await ask(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    },
    async [Symbol.asyncDispose]() {
      await ask(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function ask(
  url: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
