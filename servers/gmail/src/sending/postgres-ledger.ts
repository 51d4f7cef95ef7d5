import type { Pool, PoolClient } from 'pg';
import { type Ledger, LedgerError, type SendClaim, type SendState } from './ledger.ts';
import { capTime, freeAt, newRecord, recordFromRow, sameMail } from './ledger-records.ts';

const format = 1;

/** Tells apart what this program locks in a database from what others do. */
const lockSpace = 'errand_gmail_sends';

interface PostgresLedgerOptions {
  readonly url: string;
  /** Whose mails these are: several mailboxes may share a database. Fails when nobody knows. */
  mailbox(): Promise<string>;
  /** Milliseconds to wait for a connection and for an answer. */
  readonly patienceMs?: number;
}

/**
 * Keeps the ledger in a PostgreSQL that servers of several machines share. It connects when it is first used, so that a
 * server starts without it; records are stamped by the clock of the database.
 */
export function openPostgresLedger(options: PostgresLedgerOptions): Ledger {
  const { url, patienceMs = 10_000 } = options;
  let pool: Promise<Pool> | undefined;
  let isPrepared = false;
  /** How far the clock of the database is ahead of ours. */
  let ahead = 0;
  const now = () => Math.round(Date.now() + ahead);

  const open = async (): Promise<Pool> => {
    const { default: pg } = await import('pg');
    const opened = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
      application_name: 'errand-gmail',
    });
    // A connection that breaks while nobody uses it is replaced when it is needed.
    opened.on('error', () => {});
    return opened;
  };

  /** Runs statements as one step, under the lock of a name when one is given. */
  const transaction = async <T>(
    work: (client: PoolClient) => Promise<T>,
    lock?: string,
  ): Promise<T> => {
    pool ??= open();
    let client: PoolClient | undefined;
    let failure: Error | undefined;
    try {
      client = await (await pool).connect();
      await client.query('BEGIN');
      const asked = Date.now();
      const { rows } = await client.query(beginning);
      ahead = Number(rows[0]?.now) - (asked + Date.now()) / 2;
      if (lock !== undefined) {
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
      }
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error instanceof LedgerError ? error : unusable(failure);
    } finally {
      // What failed in the middle is closed, which also takes back what it has begun.
      client?.release(failure);
    }
  };

  const inMailbox = async <T>(
    work: (client: PoolClient, mailbox: string) => Promise<T>,
    isLocked = false,
  ): Promise<T> => {
    const mailbox = (await options.mailbox()).toLowerCase();
    if (!isPrepared) await transaction(prepare, lockSpace);
    isPrepared = true;
    return await transaction(
      (client) => work(client, mailbox),
      isLocked ? `${lockSpace} ${mailbox}` : undefined,
    );
  };

  const find = async (client: PoolClient, mailbox: string, claim: SendClaim) => {
    const { rows } =
      claim.key === undefined
        ? await client.query(
            `SELECT * FROM errand_gmail_sends WHERE mailbox = $1 AND content_hash = $2 AND NOT is_keyed
             ORDER BY created_at DESC LIMIT 1`,
            [mailbox, claim.contentHash],
          )
        : await client.query('SELECT * FROM errand_gmail_sends WHERE mailbox = $1 AND key = $2', [
            mailbox,
            claim.key,
          ]);
    return rows[0] && recordFromRow(rows[0]);
  };

  const known = async (
    client: PoolClient,
    mailbox: string,
    ...[claim, limits]: Parameters<Ledger['find']>
  ) => {
    const record = await find(client, mailbox, claim);
    return claim.key === undefined ? sameMail(record, limits, now()) : record;
  };

  return {
    now,
    find: (claim, limits) => inMailbox((client, mailbox) => known(client, mailbox, claim, limits)),
    claim: (claim, limits) =>
      inMailbox(async (client, mailbox) => {
        const record = await known(client, mailbox, claim, limits);
        if (record !== undefined) return { kind: 'known', record };
        const { rows } = await client.query(
          'SELECT created_at FROM errand_gmail_sends WHERE mailbox = $1 AND created_at > $2 ORDER BY created_at DESC',
          [mailbox, now() - capTime],
        );
        const times = rows.map(({ created_at }) => created_at);
        const free = freeAt(times, limits, now());
        if (free !== undefined) return { kind: 'capped', freeAt: free };
        const begun = newRecord(claim, now());
        const { key, contentHash, state, version, owner, createdAt, changedAt } = begun;
        const isKeyed = claim.key !== undefined;
        await client.query(
          `INSERT INTO errand_gmail_sends
           (mailbox, key, is_keyed, content_hash, state, version, owner, created_at, changed_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [mailbox, key, isKeyed, contentHash, state, version, owner, createdAt, changedAt],
        );
        return { kind: 'begun', record: begun };
      }, true),
    change: (record, change) =>
      inMailbox(async (client, mailbox) => {
        const next = { ...record, ...change, version: record.version + 1 };
        const { rowCount } = await client.query(
          `UPDATE errand_gmail_sends SET state = $3, version = $4, owner = $5, changed_at = $6, draft_id = $7,
           message_id = $8, thread_id = $9, sent_at = $10 WHERE mailbox = $1 AND key = $2 AND version = $11`,
          [
            mailbox,
            record.key,
            next.state,
            next.version,
            next.owner,
            next.changedAt,
            next.draftId ?? null,
            next.messageId ?? null,
            next.threadId ?? null,
            next.sentAt ?? null,
            record.version,
          ],
        );
        return rowCount === 1 ? next : undefined;
      }),
    forget: ({ key, version }) =>
      inMailbox(async (client, mailbox) => {
        await client.query(
          'DELETE FROM errand_gmail_sends WHERE mailbox = $1 AND key = $2 AND version = $3',
          [mailbox, key, version],
        );
      }),
    isTaken: ({ key }, id) =>
      inMailbox(async (client, mailbox) => {
        const { rowCount } = await client.query(
          `SELECT 1 FROM errand_gmail_sends
           WHERE mailbox = $1 AND key <> $2 AND (draft_id = $3 OR message_id = $3) LIMIT 1`,
          [mailbox, key, id],
        );
        return rowCount === 1;
      }),
    counts: () =>
      inMailbox(async (client, mailbox) => {
        const { rows } = await client.query(
          'SELECT state, count(*) AS count FROM errand_gmail_sends WHERE mailbox = $1 GROUP BY state',
          [mailbox],
        );
        return Object.fromEntries(
          rows.map(({ state, count }) => [state as SendState, Number(count)]),
        );
      }),
    async [Symbol.asyncDispose]() {
      await (await pool)?.end();
    },
  };
}

/** What every step begins with. A commit that is answered has to be on the disk, whatever the database does by default. */
const beginning = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now,
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
  THEN set_config('synchronous_commit', 'on', true) END`;

/** Makes the table; others that start at the same moment wait. */
async function prepare(client: PoolClient): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS errand_gmail_format (version integer NOT NULL)`);
  const { rows } = await client.query('SELECT version FROM errand_gmail_format');
  const found = Number(rows[0]?.version ?? 0);
  if (found > format) {
    throw new LedgerError('its tables were made by a newer version of this program.');
  }
  if (found === format) return;
  await client.query(`
    CREATE TABLE errand_gmail_sends (
      mailbox text NOT NULL, key text NOT NULL, is_keyed boolean NOT NULL, content_hash text NOT NULL,
      state text NOT NULL, version integer NOT NULL, owner text NOT NULL, created_at bigint NOT NULL,
      changed_at bigint NOT NULL, draft_id text, message_id text, thread_id text, sent_at bigint,
      PRIMARY KEY (mailbox, key));
    CREATE INDEX errand_gmail_sends_by_content ON errand_gmail_sends (mailbox, content_hash, created_at);
    CREATE INDEX errand_gmail_sends_by_time ON errand_gmail_sends (mailbox, created_at);
    CREATE INDEX errand_gmail_sends_by_draft ON errand_gmail_sends (mailbox, draft_id);
    INSERT INTO errand_gmail_format VALUES (${format});
  `);
}

/** Says what is wrong with the database; its messages hold no password. */
function unusable(cause: Error): LedgerError {
  // A name with several addresses fails with one error for each of them.
  const [first = cause] = cause instanceof AggregateError ? cause.errors : [];
  const { message, code } = first as NodeJS.ErrnoException;
  return new LedgerError(`${message || code || 'the database does not answer'}.`, { cause });
}
