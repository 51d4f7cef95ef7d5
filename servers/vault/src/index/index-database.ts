import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './database-error.ts';
import type { NoteFacts } from './note-facts.ts';
import type { FileStamp } from './note-table.ts';
import { openDatabase } from './open-database.ts';

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

/** Longer values are not kept; a filter for one reads the notes instead. */
export const longestValue = 500;

/** The index of one vault on disk: nothing in it that the notes could not give again. */
export class IndexDatabase implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens an index; undefined on a Node whose SQLite is missing or knows no full-text search. */
  static open(file: string): IndexDatabase | undefined {
    const database = openDatabase(file);
    return database === undefined ? undefined : new IndexDatabase(database);
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
