import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Makes an empty database on the PostgreSQL of the tests. */
export async function newDatabase(prefix: string): Promise<string> {
  const server = process.env.ERRAND_TEST_POSTGRES ?? '';
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const name = `${prefix}_${randomUUID().slice(0, 8)}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
