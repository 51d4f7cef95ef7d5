import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { ReplicaDatabase } from './replica-database.ts';

const url = process.env.ERRAND_TEST_POSTGRES ?? '';
const ports = { url, notifier: { notify: () => {} }, onStop: () => {}, onSessionEnded: () => {} };

test('leaves no connection behind, also when it is closed while it reads what it changed', async () => {
  for (let round = 0; round < 10; round += 1) {
    const database = await ReplicaDatabase.open(ports);
    await database.addClient({ name: `c-${randomUUID()}` });
    await database[Symbol.asyncDispose]();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = async () => {
    const sql = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'errand-gateway'`;
    return (await client.query(sql)).rows[0].count;
  };
  await expect.poll(count).toBe(0);
  await client.end();
});

test('replicas together never allow more calls than the limit, and a new period begins anew', async () => {
  await using a = await ReplicaDatabase.open(ports);
  await using b = await ReplicaDatabase.open(ports);
  const client = `q-${randomUUID()}`;
  const limit = { calls: 10, periodMs: 60_000 };
  const granted = await Promise.all(
    Array.from({ length: 8 }, (_, index) => (index % 2 ? a : b).reserve(client, limit, 3)),
  );
  expect(granted.reduce((sum, each) => sum + each.granted, 0)).toBe(10);
  const short = { calls: 1, periodMs: 1 };
  const other = `q-${randomUUID()}`;
  expect((await a.reserve(other, short, 1)).granted).toBe(1);
  await expect.poll(async () => (await b.reserve(other, short, 1)).granted).toBe(1);
});

test('what was read before a stop does not undo it', async () => {
  await using place = await ownDatabase();
  const stops: boolean[] = [];
  await using a = await ReplicaDatabase.open({
    ...ports,
    url: place.url,
    onStop: (isStopped) => stops.push(isStopped),
  });
  const { query } = place;
  // The replica has read the switch and waits for the list of clients.
  await query('BEGIN; LOCK TABLE errand_gateway.clients IN ACCESS EXCLUSIVE MODE');
  await place.tell('clients');
  await expect.poll(() => place.waiting()).toBe(1);
  const stopping = a.setStopped(true);
  for (let count = 0; count < 20; count += 1) await place.waiting();
  await query('COMMIT');
  await stopping;
  await using b = await ReplicaDatabase.open({ ...ports, url: place.url });
  expect([b.isStopped, a.isStopped, stops]).toEqual([true, true, []]);
});

test('a stop that could not be stored is kept, and stored when that is possible', async () => {
  await using place = await ownDatabase();
  const stops: boolean[] = [];
  await using a = await ReplicaDatabase.open({
    ...ports,
    url: place.url,
    onStop: (isStopped) => stops.push(isStopped),
  });
  await place.query(
    'ALTER TABLE errand_gateway.state ADD CONSTRAINT refused CHECK (NOT is_stopped)',
  );
  await expect(a.setStopped(true)).rejects.toThrow();
  await place.tell('state');
  await expect.poll(() => a.failure).toBeDefined();
  expect([a.isStopped, stops]).toEqual([true, []]);
  await place.query('ALTER TABLE errand_gateway.state DROP CONSTRAINT refused');
  await place.tell('state');
  const stored = async () =>
    (await place.query('SELECT is_stopped FROM errand_gateway.state')).rows[0].is_stopped;
  await expect.poll(stored).toBe(true);
  expect([a.isStopped, stops]).toEqual([true, []]);
});

/** A database that no other test uses. */
async function ownDatabase() {
  const name = `replica_${randomUUID().slice(0, 8)}`;
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const [client, other] = [own, own].map((connectionString) => new pg.Client({ connectionString }));
  await Promise.all([client?.connect(), other?.connect()]);
  const waiting = `SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = '${name}' AND application_name = 'errand-gateway' AND wait_event_type = 'Lock'`;
  return {
    url: own,
    query: (sql: string) => (client as pg.Client).query(sql),
    tell: (news: string) => other?.query('SELECT pg_notify($1, $2)', ['errand_gateway', news]),
    waiting: async (): Promise<number> => (await server.query(waiting)).rows[0].count,
    async [Symbol.asyncDispose]() {
      await Promise.all([client?.end(), other?.end()]);
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}
