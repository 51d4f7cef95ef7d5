import { expect, onTestFinished, test, vi } from 'vitest';
import { killSends } from '../testing/kill-sends.ts';
import { testLedger } from '../testing/ledger-contract.ts';
import { startMailbox } from '../testing/mailbox.ts';
import { makeDatabase, type PostgresDatabase } from '../testing/postgres-database.ts';
import { makeHome, startServer } from '../testing/start-server.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const limits = { repeatedWithin: 600_000, dailyCap: 100 };

function openIn({ url }: PostgresDatabase, mailbox = 'Ada@example.org') {
  return openPostgresLedger({ url, mailbox: async () => mailbox });
}

async function makeOlder(database: PostgresDatabase, milliseconds: number): Promise<void> {
  await database.query(
    `UPDATE errand_gmail_sends SET changed_at = changed_at - ${milliseconds}, created_at = created_at - ${milliseconds}`,
  );
}

testLedger(async () => {
  const database = await makeDatabase();
  const [first, second] = [openIn(database), openIn(database, 'ada@EXAMPLE.org')];
  return {
    first,
    second,
    makeOlder: (milliseconds) => makeOlder(database, milliseconds),
    reopen: async () => openIn(database),
    async [Symbol.asyncDispose]() {
      await Promise.all([first, second].map((ledger) => ledger[Symbol.asyncDispose]()));
      await database[Symbol.asyncDispose]();
    },
  };
});

test('keeps the mails of several mailboxes apart', async () => {
  await using database = await makeDatabase();
  await using ada = openIn(database);
  await using bob = openIn(database, 'bob@example.org');
  const claim = { key: 'k', contentHash: 'h', owner: 'o' };
  expect(await ada.claim(claim, { ...limits, dailyCap: 1 })).toMatchObject({ kind: 'begun' });
  expect(await bob.claim(claim, { ...limits, dailyCap: 1 })).toMatchObject({ kind: 'begun' });
  expect(await bob.counts()).toEqual({ intent: 1 });
});

test('waits for the disk with each commit, also where the database does not by itself', async () => {
  await using database = await makeDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  await using ledger = openIn(database);
  await ledger.counts();
  await database.query(`
    CREATE TABLE seen (value text);
    CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE INSERT OR UPDATE ON errand_gmail_sends
    FOR EACH ROW EXECUTE FUNCTION note_commit()`);
  const claimed = await ledger.claim({ key: 'k', contentHash: 'h', owner: 'o' }, limits);
  if (claimed.kind !== 'begun') throw new Error(claimed.kind);
  await ledger.change(claimed.record, { state: 'drafting' });
  expect(await database.query('SELECT value FROM seen')).toEqual([
    { value: 'on' },
    { value: 'on' },
  ]);
});

test('stamps records by the clock of the database, whatever the one of the machine says', async () => {
  await using database = await makeDatabase();
  await using ledger = openIn(database);
  const [row] = await database.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
  vi.useFakeTimers({ toFake: ['Date'], now: Number(row?.now) - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const claimed = await ledger.claim({ key: 'k', contentHash: 'h', owner: 'o' }, limits);
  if (claimed.kind !== 'begun') throw new Error(claimed.kind);
  expect(Math.abs(claimed.record.createdAt - Number(row?.now))).toBeLessThan(60_000);
  expect(Math.abs(ledger.now() - Number(row?.now))).toBeLessThan(60_000);
});

test('leaves tables alone that a newer version has made', async () => {
  await using database = await makeDatabase();
  await database.query('CREATE TABLE errand_gmail_format AS SELECT 9 AS version');
  await using ledger = openIn(database);
  await expect(ledger.counts()).rejects.toThrow('newer version');
});

test('two machines that share a mailbox and a ledger send one mail for one key', async () => {
  await using mailbox = await startMailbox();
  await using database = await makeDatabase();
  using one = makeHome(mailbox.url);
  using two = makeHome(mailbox.url);
  const options = { url: mailbox.url, ledger: database.url };
  await using first = await startServer({ home: one, ...options });
  await using second = await startServer({ home: two, ...options });
  const mail = { to: 'a@example.org', subject: 'Shared', body: 'b', idempotency_key: 'shared' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? first : second).call('send_email', mail),
    ),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await mailbox.sent('Shared')).toMatchObject([{ id: answers[0]?.message_id }]);
  expect(await second.call('get_send_status', { idempotency_key: 'shared' })).toMatchObject({
    ...answers[0],
    state: 'sent',
  });
  expect([...first.refused(), ...second.refused()]).toEqual([]);
});

test('sends nothing while the database is away, says so, and sends when it is back', async () => {
  await using mailbox = await startMailbox();
  await using database = await makeDatabase();
  using home = makeHome(mailbox.url);
  await using server = await startServer({ home, url: mailbox.url, ledger: database.url });
  const send = (subject: string) =>
    server.call('send_email', { to: 'a@example.org', subject, body: 'b' });
  expect(await send('Before')).toHaveProperty('message_id');
  await database.close();
  const asked = mailbox.proxy.requests.length;
  expect(await send('Away')).toMatchObject({
    error: 'send_failed',
    message: expect.stringMatching(/^Nothing was sent by this call, because the ledger/),
  });
  expect(await server.call('health_check')).toMatchObject({
    status: 'degraded',
    mails: null,
    issues: [expect.stringMatching(/^The ledger of sent mails cannot be used/)],
  });
  expect(mailbox.proxy.requests).toHaveLength(asked);
  expect(await server.call('list_emails')).toHaveProperty('emails');
  await database.open();
  expect(await send('Away')).toHaveProperty('message_id');
  expect(await mailbox.sent('Away')).toHaveLength(1);
  expect(await server.call('health_check')).toMatchObject({
    status: 'healthy',
    mails: { sent: 2 },
  });
});

test('finds out what became of a mail when the database goes away in the middle', async () => {
  await using mailbox = await startMailbox();
  await using database = await makeDatabase();
  using home = makeHome(mailbox.url);
  await using server = await startServer({ home, url: mailbox.url, ledger: database.url });
  const mail = { to: 'a@example.org', subject: 'Middle', body: 'b', idempotency_key: 'm' };
  for (const path of [/\/drafts$/, /\/drafts\/send$/]) {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const held = mailbox.proxy.fault({ method: 'POST', path }, { kind: 'hold-after', until });
    const sending = server.call('send_email', mail);
    await held;
    await database.close();
    resolve();
    const answer = await sending;
    await database.open();
    await makeOlder(database, 61_000);
    // What was sent is said to be sent, even if it could not be written down.
    if (path.source.includes('send')) expect(answer).toHaveProperty('message_id');
    else expect(answer).toMatchObject({ error: 'send_failed' });
  }
  expect(await server.call('send_email', mail)).toHaveProperty('message_id');
  expect(await mailbox.sent('Middle')).toHaveLength(1);
  expect(await server.call('list_drafts')).toEqual({ drafts: [] });
});

test('needs to know whose mailbox it is, and shows no password', async () => {
  await using mailbox = await startMailbox();
  await using database = await makeDatabase();
  using home = makeHome(mailbox.url, { account: undefined });
  const secret = database.url.replace(/\/\/([^@:]*)(?::[^@]*)?@/, '//$1:pass-secret@');
  await using server = await startServer({
    home,
    url: mailbox.url,
    ledger: secret.replace(/:\d+\//, ':9/'),
  });
  expect(
    await server.call('send_email', { to: 'a@example.org', subject: 's', body: 'b' }),
  ).toMatchObject({ error: 'auth_required', message: expect.stringMatching(/whose mailbox/) });
  const health = await server.call('health_check');
  expect(health).toMatchObject({ status: 'degraded' });
  expect(JSON.stringify(health) + server.stderr()).not.toContain('pass-secret');
});

test('survives being killed at any moment, with its ledger in a database', async () => {
  await using database = await makeDatabase();
  const shared = { url: database.url, makeOlder: () => makeOlder(database, 61_000) };
  expect(await killSends(1, 8, shared)).toEqual([]);
}, 120_000);
