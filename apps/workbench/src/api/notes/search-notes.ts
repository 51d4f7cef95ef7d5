import { setImmediate } from 'node:timers/promises';
import { openContainedRoot, TextReader } from '@errand/files';

const mostHits = 100;
const mostRemembered = 64 * 1024 * 1024;
/** Larger notes are found by name only. */
const mostBytes = 2 * 1024 * 1024;
const excerptLength = 160;
const atOnce = 32;

export interface SearchHit {
  readonly path: string;
  /** The first line that contains the first word; null when the name contains all of them. */
  readonly line: number | null;
  readonly excerpt: string | null;
}

/** Finds notes by name and by text. Texts are remembered, so that typing on is fast. */
export class NoteSearch {
  readonly #folder: string;
  readonly #texts = new Map<string, string>();
  #size = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was written must be read again. */
  forget(path: string): void {
    this.#size -= this.#texts.get(path)?.length ?? 0;
    this.#texts.delete(path);
  }

  clear(): void {
    this.#texts.clear();
    this.#size = 0;
  }

  /** Notes that hold all words of the query, those with all of them in their name first. */
  async find(query: string, notes: readonly string[], signal: AbortSignal) {
    const words = query.split(/\s+/).filter(Boolean).map(asPattern);
    if (words.length === 0) return { hits: [] as readonly SearchHit[], isCut: false };
    const holds = (text: string) => words.every((word) => word.test(text));
    const named = notes.filter(holds);
    const hits: SearchHit[] = named
      .slice(0, mostHits)
      .map((path) => ({ path, line: null, excerpt: null }));
    const isNamed = new Set(named);
    const others = notes.filter((path) => !isNamed.has(path));
    using reader = new TextReader(openContainedRoot(this.#folder), mostBytes);
    for (let at = 0; at < others.length && hits.length <= mostHits; at += atOnce) {
      // Others get their turn between the batches.
      await setImmediate();
      signal.throwIfAborted();
      for (const path of others.slice(at, at + atOnce)) {
        const text = this.#textOf(path, reader);
        if (holds(text)) hits.push(describeHit(path, text, words[0]));
      }
    }
    const isCut = hits.length > mostHits || named.length > mostHits;
    return { hits: hits.slice(0, mostHits), isCut };
  }

  /** Reading many small files is many times faster without waiting for each. */
  #textOf(path: string, reader: TextReader): string {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    // Removed meanwhile, or not ours to read: not found then.
    const text = reader.read(path)?.text ?? '';
    if (this.#size + text.length > mostRemembered) return text;
    this.#texts.set(path, text);
    this.#size += text.length;
    return text;
  }
}

function asPattern(word: string): RegExp {
  return new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

function describeHit(path: string, text: string, word: RegExp | undefined): SearchHit {
  const at = Math.max(0, text.search(word ?? /^/));
  const line = text.slice(0, at).split('\n').length;
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  // A word far into a long line is shown with what stands before it.
  const from = Math.max(lineStart, at - excerptLength / 2);
  const excerpt =
    text
      .slice(from, from + excerptLength)
      .split(/\r?\n/, 1)[0]
      ?.trim() ?? '';
  return { path, line, excerpt: excerpt.toWellFormed() };
}
