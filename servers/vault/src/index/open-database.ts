import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '@errand/server-kit/sqlite';
import { isCorrupt } from './database-error.ts';

/** Incremented when the stored layout or its meaning changes; an older index is rebuilt. */
const version = 2;

const schema = `
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE,
    size REAL NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, ino REAL NOT NULL,
    problem TEXT
  );
  CREATE TABLE fields (
    field TEXT NOT NULL, value TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (field, value, note)
  ) WITHOUT ROWID;
  CREATE TABLE tags (tag TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (tag, note)) WITHOUT ROWID;
  CREATE TABLE links (
    target TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (target, note)
  ) WITHOUT ROWID;
  CREATE INDEX fields_of ON fields (note);
  CREATE INDEX tags_of ON tags (note);
  CREATE INDEX links_of ON links (note);
  CREATE VIRTUAL TABLE grams USING fts5 (
    list, content='', contentless_delete=1, detail=none, tokenize='ascii'
  );
  INSERT INTO grams (grams, rank) VALUES ('hashsize', ${8 * 1024 * 1024});
  PRAGMA user_version = ${version};
`;

/** How long to wait for another server that is opening the same index; later, waiting has other ways. */
const openingPatience = 5000;
const patience = 250;

/**
 * Opens the database of an index, making it anew when it is missing, outdated or corrupt. Undefined on
 * a Node whose SQLite is missing or knows no full-text search.
 */
export function openDatabase(file: string): DatabaseSync | undefined {
  const sqlite = loadSqlite();
  if (sqlite === undefined || !hasFullText(sqlite)) return undefined;
  const open = () => new sqlite.DatabaseSync(file, { timeout: openingPatience });
  const kept = prepare(open());
  if (kept !== undefined) return kept;
  deleteDatabase(file);
  return prepare(open());
}

/** Removes an index from the disk. */
export function deleteDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function hasFullText({ DatabaseSync }: typeof import('node:sqlite')): boolean {
  const database = new DatabaseSync(':memory:');
  const asked = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").get();
  database.close();
  return asked?.used === 1;
}

/** Undefined when the database is corrupt or of another version. */
function prepare(database: DatabaseSync): DatabaseSync | undefined {
  try {
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000',
    );
    // Under the lock, because two servers may find the same index missing at once.
    database.exec('BEGIN IMMEDIATE');
    if (isEmpty(database)) database.exec(schema);
    const isOurs = versionOf(database) === version;
    if (isOurs) database.exec('SELECT 1 FROM notes, fields, tags, links, grams LIMIT 0');
    database.exec(`COMMIT; PRAGMA busy_timeout = ${patience}`);
    if (isOurs) return database;
  } catch (error) {
    database.close();
    if (isCorrupt(error)) return undefined;
    throw error;
  }
  database.close();
  return undefined;
}

function isEmpty(database: DatabaseSync): boolean {
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() ?? {};
  return count === 0;
}

function versionOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.user_version;
}
