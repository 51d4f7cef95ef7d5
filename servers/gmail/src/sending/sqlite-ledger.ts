import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { loadSqlite } from '@errand/server-kit/sqlite';
import {
  type ClaimLimits,
  type Ledger,
  LedgerError,
  type SendClaim,
  type SendRecord,
  type SendState,
} from './ledger.ts';
import { capTime, freeAt, newRecord, recordFromRow, sameMail } from './ledger-records.ts';

const format = 1;

/** Keeps the ledger in a file that several servers of one machine may share. */
export function openSqliteLedger(file: string): Ledger {
  const database = openDatabase(file);
  const find = (claim: SendClaim, limits: ClaimLimits) => {
    if (claim.key !== undefined) {
      return asRecord(database.prepare('SELECT * FROM sends WHERE key = ?').get(claim.key));
    }
    const latest = database.prepare(
      'SELECT * FROM sends WHERE content_hash = ? AND is_keyed = 0 ORDER BY created_at DESC LIMIT 1',
    );
    return sameMail(asRecord(latest.get(claim.contentHash)), limits, Date.now());
  };
  const begin = (claim: SendClaim): SendRecord => {
    const record = newRecord(claim, Date.now());
    const { key, contentHash, state, version, owner, createdAt, changedAt } = record;
    const isKeyed = claim.key === undefined ? 0 : 1;
    database
      .prepare(
        `INSERT INTO sends (key, is_keyed, content_hash, state, version, owner, created_at, changed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(key, isKeyed, contentHash, state, version, owner, createdAt, changedAt);
    return record;
  };
  return {
    now: Date.now,
    find: async (claim, limits) => guarded(() => find(claim, limits)),
    claim: async (claim, limits) =>
      inTransaction(database, () => {
        const known = find(claim, limits);
        if (known !== undefined) return { kind: 'known', record: known };
        const recent = database.prepare(
          'SELECT created_at AS at FROM sends WHERE created_at > ? ORDER BY created_at DESC',
        );
        const times = recent.all(Date.now() - capTime).map(({ at }) => at);
        const free = freeAt(times, limits, Date.now());
        if (free !== undefined) return { kind: 'capped', freeAt: free };
        return { kind: 'begun', record: begin(claim) };
      }),
    async change(record, change) {
      const next = { ...record, ...change, version: record.version + 1 };
      const update = () =>
        database
          .prepare(
            `UPDATE sends SET state = ?, version = ?, owner = ?, changed_at = ?, draft_id = ?, message_id = ?,
             thread_id = ?, sent_at = ? WHERE key = ? AND version = ?`,
          )
          .run(
            next.state,
            next.version,
            next.owner,
            next.changedAt,
            next.draftId ?? null,
            next.messageId ?? null,
            next.threadId ?? null,
            next.sentAt ?? null,
            record.key,
            record.version,
          );
      return guarded(update).changes === 1 ? next : undefined;
    },
    async forget({ key, version }) {
      guarded(() =>
        database.prepare('DELETE FROM sends WHERE key = ? AND version = ?').run(key, version),
      );
    },
    async isTaken({ key }, id) {
      const other = database.prepare(
        'SELECT 1 FROM sends WHERE key <> ? AND (draft_id = ? OR message_id = ?)',
      );
      return guarded(() => other.get(key, id, id)) !== undefined;
    },
    async counts() {
      const rows = guarded(() =>
        database.prepare('SELECT state, count(*) AS count FROM sends GROUP BY state').all(),
      );
      return Object.fromEntries(
        rows.map(({ state, count }) => [state as SendState, Number(count)]),
      );
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const sqlite = loadSqlite();
  if (sqlite === undefined) throw new Error('This Node has no SQLite. Use Node 22.16 or later.');
  const database = new sqlite.DatabaseSync(file, { timeout: 10_000 });
  try {
    // Before anything is written: the mode of the journal is stored in the file.
    checkFormat(database, file);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    inTransaction(database, () => prepare(database, file));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkFormat(database: DatabaseSync, file: string): number {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found > format) throw new Error(`${file} was made by a newer version of this program.`);
  return found;
}

function prepare(database: DatabaseSync, file: string): void {
  if (checkFormat(database, file) === format) return;
  database.exec(`
    CREATE TABLE sends (
      key TEXT PRIMARY KEY, is_keyed INTEGER NOT NULL, content_hash TEXT NOT NULL, state TEXT NOT NULL,
      version INTEGER NOT NULL, owner TEXT NOT NULL, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      draft_id TEXT, message_id TEXT, thread_id TEXT, sent_at INTEGER) WITHOUT ROWID;
    CREATE INDEX sends_by_content ON sends (content_hash, created_at);
    CREATE INDEX sends_by_time ON sends (created_at);
    CREATE INDEX sends_by_draft ON sends (draft_id);
    PRAGMA user_version = ${format};
  `);
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  return guarded(() => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isDatabase = error instanceof Error && 'errcode' in error;
    throw isDatabase ? new LedgerError(`${error.message}.`, { cause: error }) : error;
  }
}

function asRecord(
  row: Readonly<Record<string, SQLOutputValue>> | undefined,
): SendRecord | undefined {
  return row && recordFromRow(row);
}
