import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { FlowContext } from '../job-engine.ts';
import { sqliteStore } from '../sqlite-store.ts';
import { StoredJobs } from '../stored-jobs.ts';
import { checkDatabase } from './check-database.ts';
import { moveJobs } from './move-jobs.ts';
import { PostgresJobs } from './postgres-jobs.ts';

const url = process.env.ERRAND_TEST_POSTGRES ?? '';
const flows = { a: { run: async () => 'ran' } };
const newSpace = () => `db_${randomUUID().slice(0, 8)}`;

test('a login without rights is told so, and works where the tables were made for it', async () => {
  const [role, space] = [`r${randomUUID().slice(0, 8)}`, newSpace()];
  await sql(`CREATE ROLE ${role} LOGIN`);
  const limited = new URL(url);
  limited.username = role;
  await expect(PostgresJobs.open({ url: limited.href, space, flows })).rejects.toMatchObject({
    code: 'database_rights',
  });
  expect(await checkDatabase({ url: limited.href, space })).toMatchObject({
    tables: 'missing',
    hasRights: false,
  });
  await (await PostgresJobs.open({ url, space, flows: {} }))[Symbol.asyncDispose]();
  expect(await checkDatabase({ url: limited.href, space })).toMatchObject({
    tables: 'ready',
    hasRights: false,
  });
  const schema = `errand_${space}`;
  await sql(`GRANT USAGE ON SCHEMA ${schema} TO ${role};
    GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
  expect(await checkDatabase({ url: limited.href, space })).toMatchObject({ hasRights: true });
  await using jobs = await PostgresJobs.open({ url: limited.href, space, flows });
  await jobs.start('a', null, { id: 'a' });
  await expect.poll(async () => (await jobs.status('a'))?.result).toBe('ran');
});

test('an unknown login and a database that is not there are told from one that does not answer', async () => {
  const unknown = new URL(url);
  unknown.username = 'nobody_of_that_name';
  await expect(checkDatabase({ url: unknown.href })).rejects.toMatchObject({
    code: 'database_login',
  });
  const missing = new URL(url);
  missing.pathname = '/no_such_database';
  await expect(checkDatabase({ url: missing.href })).rejects.toMatchObject({
    code: 'database_login',
  });
  const silent = new URL(url);
  silent.port = '1';
  await expect(checkDatabase({ url: silent.href })).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});

test('a login without the password that is asked for is told so, and leaves no connection open', async () => {
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', ended.resolve);
    // Answers like PostgreSQL: it takes SCRAM, and then begins it.
    socket.once('data', () => {
      socket.write(authentication(10, 'SCRAM-SHA-256\0\0'));
      socket.once('data', (message) => {
        const nonce = /r=(.*)$/.exec(message.toString())?.[1];
        socket.write(authentication(11, `r=${nonce}more,s=c2FsdA==,i=4096`));
        socket.resume();
      });
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(checkDatabase({ url: `postgres://ada@127.0.0.1:${port}/x` })).rejects.toMatchObject({
    code: 'database_login',
    message: expect.stringContaining('asks for a password'),
  });
  await ended.promise;
});

test('tables of a newer program are refused and left as they are', async () => {
  const space = newSpace();
  await (await PostgresJobs.open({ url, space, flows }))[Symbol.asyncDispose]();
  await sql(`UPDATE errand_${space}.format SET version = 99`);
  await expect(PostgresJobs.open({ url, space, flows })).rejects.toMatchObject({
    code: 'newer_file',
  });
  expect(await checkDatabase({ url, space })).toMatchObject({ tables: 'newer' });
});

test('tables of an older program are brought up to date with their jobs, by a login that may do so', async () => {
  const [role, space] = [`o${randomUUID().slice(0, 8)}`, newSpace()];
  const schema = `errand_${space}`;
  {
    await using older = await PostgresJobs.open({ url, space, flows });
    await older.start('a', null, { id: 'kept' });
    await expect.poll(async () => (await older.status('kept'))?.result).toBe('ran');
  }
  await sql(`UPDATE ${schema}.format SET version = 1; DROP FUNCTION ${schema}.step_rank;
    CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role};
    GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  const limited = new URL(url);
  limited.username = role;
  await expect(PostgresJobs.open({ url: limited.href, space, flows })).rejects.toMatchObject({
    code: 'database_rights',
  });
  expect(await checkDatabase({ url: limited.href, space })).toMatchObject({
    tables: 'older',
    hasRights: false,
  });
  const engines = await Promise.all(
    [1, 2, 3].map(() =>
      PostgresJobs.open({
        url,
        space,
        flows: { a: { run: async (_, { step }) => step('one', () => 'ran') } },
      }),
    ),
  );
  await engines[0]?.start('a', null, { id: 'new' });
  await expect.poll(async () => (await engines[1]?.status('new'))?.result).toBe('ran');
  expect(await engines[2]?.status('kept')).toMatchObject({ state: 'done', result: 'ran' });
  for (const engine of engines) await engine[Symbol.asyncDispose]();
  expect(await checkDatabase({ url, space })).toMatchObject({ tables: 'ready' });
});

test('programs that start at once make the tables once', async () => {
  const space = newSpace();
  const engines = await Promise.all(
    [1, 2, 3, 4].map(() => PostgresJobs.open({ url, space, flows })),
  );
  for (const engine of engines) await engine[Symbol.asyncDispose]();
});

test('a database without free connections is told so, and work goes on when there is one', async () => {
  const [role, space] = [`c${randomUUID().slice(0, 8)}`, newSpace()];
  await sql(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 3`);
  await sql(`GRANT CREATE ON DATABASE postgres TO ${role}`);
  const limited = new URL(url);
  limited.username = role;
  const faults: unknown[] = [];
  const held = await Promise.all([connected(limited.href), connected(limited.href)]);
  await using jobs = await PostgresJobs.open({
    url: limited.href,
    space,
    flows,
    onFault: (error) => void faults.push(error),
  });
  const started = jobs.start('a', null, { id: 'a' });
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  expect(faults[0]).toMatchObject({ code: 'database_busy' });
  expect(jobs.failure).toMatchObject({ code: 'database_busy' });
  for (const client of held) await client.end();
  await started;
  await expect.poll(async () => (await jobs.status('a'))?.result).toBe('ran');
});

test('a full disk is told so, and nothing is lost: what could not be stored is stored when there is room', async () => {
  const space = newSpace();
  await using jobs = await PostgresJobs.open({
    url,
    space,
    flows: { a: { run: async (_, { step }) => step('one', () => 1) } },
  });
  // The same failure as of a disk, from where it strikes: the table that takes the steps.
  await sql(`CREATE FUNCTION errand_${space}.full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON errand_${space}.steps FOR EACH ROW EXECUTE FUNCTION errand_${space}.full()`);
  await jobs.start('a', null, { id: 'a' });
  await expect.poll(() => jobs.failure?.code).toBe('database_full');
  expect((await jobs.status('a'))?.state).toBe('running');
  await sql(`DROP TRIGGER full_disk ON errand_${space}.steps`);
  await expect.poll(async () => (await jobs.status('a'))?.result).toBe(1);
});

test('a login that is taken away while a job runs is told so, and the job ends when it is given back', async () => {
  const [role, space] = [`l${randomUUID().slice(0, 8)}`, newSpace()];
  await sql(`CREATE ROLE ${role} LOGIN; GRANT CREATE ON DATABASE postgres TO ${role}`);
  const limited = new URL(url);
  limited.username = role;
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const run = async (_: unknown, { step }: FlowContext) =>
    step('one', async () => {
      runs += 1;
      begun.resolve();
      await mayEnd.promise;
      return 'ran';
    });
  const options = { url: limited.href, space, flows: { a: { run } }, leaseMs: 60_000 };
  await using jobs = await PostgresJobs.open(options);
  await jobs.start('a', null, { id: 'a' });
  await begun.promise;
  await sql(`ALTER ROLE ${role} NOLOGIN;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
  mayEnd.resolve();
  await expect.poll(() => jobs.failure?.code, { timeout: 10_000 }).toBe('database_login');
  await sql(`ALTER ROLE ${role} LOGIN`);
  await expect
    .poll(async () => jobs.status('a').catch(() => undefined), { timeout: 30_000 })
    .toMatchObject({ state: 'done', result: 'ran' });
  expect(runs).toBe(1);
}, 60_000);

test('jobs of a file are moved with what is done of them, also when the move is interrupted, and none runs twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'jobs.sqlite');
  const ran: string[] = [];
  const work = (engine: string) => ({
    work: {
      run: async (input: unknown, { step, waitFor }: FlowContext) => {
        await step('first', () => void ran.push(`${engine} first ${input}`));
        const answer = await waitFor('go');
        await step('second', () => void ran.push(`${engine} second ${input} ${answer}`));
        return answer;
      },
    },
  });
  {
    await using jobs = StoredJobs.open(sqliteStore(file), { flows: work('file') });
    for (const id of ['1', '2', '3']) await jobs.start('work', id, { id, key: 'k' });
    await jobs.signal('1', 'go', 'early');
    await expect.poll(async () => (await jobs.status('1'))?.state).toBe('done');
    await expect.poll(async () => (await jobs.status('2'))?.steps.at(-1)?.state).toBe('waiting');
    // Nobody takes a file that is in use.
    await expect(moveJobs(file, { url, space: newSpace() })).rejects.toMatchObject({
      code: 'in_use',
    });
    await jobs.signal('2', 'go', 'kept\u0000');
  }
  const space = newSpace();
  // Interrupted: the database took nothing, and the file is marked.
  const unreachable = new URL(url);
  unreachable.port = '1';
  await expect(moveJobs(file, { url: unreachable.href, space })).rejects.toMatchObject({
    code: 'database_unavailable',
  });
  const moved = await moveJobs(file, { url, space });
  expect(moved).toMatchObject({ jobs: 3, unfinished: 2 });
  expect(() => sqliteStore(moved.keptAs)).toThrow(expect.objectContaining({ code: 'moved_file' }));
  // Interrupted after the database had taken it: the same again changes nothing.
  await using jobs = await PostgresJobs.open({ url, space, flows: work('database') });
  await expect.poll(async () => (await jobs.status('2'))?.result).toBe('kept\u0000');
  await moveJobs(moved.keptAs, { url, space });
  await jobs.signal('3', 'go', 'late');
  await expect.poll(async () => (await jobs.status('3'))?.result).toBe('late');
  expect(ran).toEqual([
    'file first 1',
    'file second 1 early',
    'file first 2',
    'database second 2 kept\u0000',
    'database first 3',
    'database second 3 late',
  ]);
  expect(await jobs.list()).toHaveLength(3);
});

async function sql(text: string): Promise<void> {
  const client = await connected(url);
  await client.query(text);
  await client.end();
}

async function connected(to: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  return client;
}

/** A message of PostgreSQL about the login. */
function authentication(kind: number, data: string): Buffer {
  const head = Buffer.alloc(9);
  head.write('R');
  head.writeInt32BE(8 + data.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, Buffer.from(data)]);
}
