import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../load-sqlite.ts';
import type { NoteFacts } from './note-facts.ts';
import type { FileStamp } from './note-table.ts';

/** What is stored of one version of a note. */
export interface IndexedNote extends NoteFacts {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Its grams, or undefined for a note so large that a search reads it instead. */
  readonly grams: string | undefined;
}

/** A note as the index remembers it. */
export interface RememberedNote {
  readonly id: number;
  readonly path: string;
  readonly stamp: FileStamp;
  readonly problem: string | undefined;
}

/** Raised when the layout or the meaning of what is stored changes: an older index is made anew. */
const version = 1;

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

/** Longer values are not kept; a filter for one reads the notes instead. */
export const longestValue = 500;

/** The index of one vault on disk: nothing in it that the notes could not give again. */
export class IndexDatabase implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens an index, making it anew when it is missing, outdated or corrupt. Undefined on a Node
   * whose SQLite is missing or knows no full-text search.
   */
  static open(file: string): IndexDatabase | undefined {
    const sqlite = loadSqlite();
    if (sqlite === undefined || !hasFullText(sqlite)) return undefined;
    const open = () => new sqlite.DatabaseSync(file, { timeout: 250 });
    try {
      const kept = prepare(open());
      if (kept !== undefined) return new IndexDatabase(kept);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
    IndexDatabase.delete(file);
    const made = open();
    made.exec(`${settings}; BEGIN IMMEDIATE; ${schema}; COMMIT`);
    return new IndexDatabase(made);
  }

  static delete(file: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  *remembered(): Generator<RememberedNote> {
    for (const row of this.#prepare('SELECT * FROM notes').iterate()) yield rememberedNote(row);
  }

  find(path: string): RememberedNote | undefined {
    const row = this.#prepare('SELECT * FROM notes WHERE path = ?').get(path);
    return row === undefined ? undefined : rememberedNote(row);
  }

  row(id: number): RememberedNote | undefined {
    const row = this.#prepare('SELECT * FROM notes WHERE id = ?').get(id);
    return row === undefined ? undefined : rememberedNote(row);
  }

  newestRow(): number {
    return Number(this.#prepare('SELECT max(id) AS id FROM notes').get()?.id ?? 0);
  }

  /** Opens a transaction; false when another server has one open for too long. */
  begin(): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  /** Stores a version of a note in the place of the one before; answers with its id. */
  store({ path, stamp, problem, fields, tags, links, grams }: IndexedNote): number {
    this.remove(path);
    const { lastInsertRowid } = this.#prepare(
      'INSERT INTO notes (path, size, mtime, ctime, ino, problem) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(path, stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino, problem ?? null);
    const id = Number(lastInsertRowid);
    const field = this.#prepare('INSERT OR IGNORE INTO fields VALUES (?, ?, ?)');
    for (const [name, value] of fields) {
      if (value.length <= longestValue) field.run(name, value, id);
    }
    const tag = this.#prepare('INSERT OR IGNORE INTO tags VALUES (?, ?)');
    for (const name of tags) tag.run(name, id);
    const link = this.#prepare('INSERT OR IGNORE INTO links VALUES (?, ?)');
    for (const target of links) link.run(target, id);
    if (grams !== undefined) {
      this.#prepare('INSERT INTO grams (rowid, list) VALUES (?, ?)').run(id, grams);
    }
    return id;
  }

  remove(path: string): void {
    const row = this.#prepare('SELECT id FROM notes WHERE path = ?').get(path);
    if (row === undefined) return;
    const id = Number(row.id);
    this.#prepare('DELETE FROM notes WHERE id = ?').run(id);
    for (const table of ['fields', 'tags', 'links']) {
      this.#prepare(`DELETE FROM ${table} WHERE note = ?`).run(id);
    }
    this.#prepare('DELETE FROM grams WHERE rowid = ?').run(id);
  }

  /** The newest rows before `below` that have all these grams. */
  withGrams(grams: readonly string[], below: number, limit: number): number[] {
    const query = grams.map((gram) => `"${gram}"`).join(' AND ');
    return this.#ids(
      'SELECT rowid AS id FROM grams WHERE grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
      query,
      below,
      limit,
    );
  }

  withField(field: string, value: string): number[] {
    return this.#ids('SELECT note AS id FROM fields WHERE field = ? AND value = ?', field, value);
  }

  withLinkTo(target: string): number[] {
    return this.#ids('SELECT note AS id FROM links WHERE target = ?', target);
  }

  tagCounts(): [tag: string, count: number][] {
    const rows = this.#prepare('SELECT tag, count(*) AS count FROM tags GROUP BY tag').all();
    return rows.map(({ tag, count }) => [String(tag), Number(count)]);
  }

  tagsOf(id: number): string[] {
    const rows = this.#prepare('SELECT tag FROM tags WHERE note = ?').all(id);
    return rows.map(({ tag }) => String(tag));
  }

  #ids(sql: string, ...values: (string | number)[]): number[] {
    return this.#prepare(sql)
      .all(...values)
      .map(({ id }) => Number(id));
  }

  #prepare(sql: string): ReturnType<DatabaseSync['prepare']> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Whether an error comes from SQLite; any other is a mistake of ours. */
export function isDatabaseError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error;
}

/** Whether an error says that the file is not, or no longer, a readable index. */
export function isCorrupt(error: unknown): boolean {
  // SQLITE_ERROR (a table is missing), SQLITE_CORRUPT and its variants, SQLITE_NOTADB.
  return isDatabaseError(error) && [1, 11, 26].includes(error.errcode % 256);
}

function isBusy(error: unknown): boolean {
  return isDatabaseError(error) && error.errcode % 256 === 5;
}

function hasFullText({ DatabaseSync }: typeof import('node:sqlite')): boolean {
  const database = new DatabaseSync(':memory:');
  const asked = database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").get();
  database.close();
  return asked?.used === 1;
}

const settings =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000';

/** Undefined when the database is not of this version. */
function prepare(database: DatabaseSync): DatabaseSync | undefined {
  try {
    const row = database.prepare('PRAGMA user_version').get();
    if (row?.user_version === version) {
      database.exec(settings);
      database.prepare('SELECT 1 FROM grams LIMIT 1').get();
      return database;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

function rememberedNote(row: Record<string, unknown>): RememberedNote {
  return {
    id: Number(row.id),
    path: String(row.path),
    stamp: {
      size: Number(row.size),
      mtimeMs: Number(row.mtime),
      ctimeMs: Number(row.ctime),
      ino: Number(row.ino),
    },
    problem: row.problem === null ? undefined : String(row.problem),
  };
}
