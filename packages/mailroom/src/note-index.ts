import { kindOf, type NoteHead, textOf } from './note-head.ts';

/** So many notes that are not where they were can still be asked for by their old path. */
const mostFormer = 1_000;

/** What is known of a note that is not at its path any more. */
interface FormerNote {
  readonly id: string | undefined;
  readonly kind: 'mail' | 'draft' | undefined;
  readonly inode: string;
}

/** The notes as they were at the last look, by path and by id. */
export class NoteIndex {
  readonly #byPath = new Map<string, NoteHead>();
  /** Several notes with one id are copies of one; a list for each would cost memory. */
  readonly #byId = new Map<string, NoteHead | readonly NoteHead[]>();
  #heads: readonly NoteHead[] | undefined;
  readonly #former = new Map<string, FormerNote>();

  get heads(): readonly NoteHead[] {
    this.#heads ??= [...this.#byPath.values()];
    return this.#heads;
  }

  /** The notes with this path, Gmail id or draft id. */
  find(id: string): readonly NoteHead[] {
    const atPath = this.#byPath.get(id);
    return atPath === undefined ? this.#withId(id) : [atPath];
  }

  /** Where the note that was at a path may be now: its id, or its file. */
  former(path: string): FormerNote | undefined {
    return this.#former.get(path);
  }

  /** Takes a whole look at the folders in. */
  replace(heads: readonly NoteHead[]): void {
    // Most notes are as they were.
    for (const head of heads) if (this.#byPath.get(head.path) !== head) this.put(head);
    if (this.#byPath.size === heads.length) return;
    const paths = new Set(heads.map(({ path }) => path));
    for (const path of this.#byPath.keys()) if (!paths.has(path)) this.remove(path);
  }

  put(head: NoteHead): void {
    this.#take(head.path);
    this.#byPath.set(head.path, head);
    this.#addId(head);
  }

  remove(path: string): void {
    const head = this.#take(path);
    if (head !== undefined) this.#remember(head);
  }

  #take(path: string): NoteHead | undefined {
    const head = this.#byPath.get(path);
    if (head === undefined) return undefined;
    this.#byPath.delete(path);
    this.#heads = undefined;
    const id = ownId(head);
    if (id === undefined) return head;
    const left = this.#withId(id).filter((each) => each.path !== path);
    if (left.length > 0) this.#byId.set(id, left);
    else this.#byId.delete(id);
    return head;
  }

  #withId(id: string): readonly NoteHead[] {
    const found = this.#byId.get(id) ?? [];
    return Array.isArray(found) ? found : [found as NoteHead];
  }

  #addId(head: NoteHead): void {
    this.#heads = undefined;
    const id = ownId(head);
    if (id === undefined) return;
    const others = this.#withId(id);
    this.#byId.set(id, others.length === 0 ? head : [...others, head]);
  }

  #remember(head: NoteHead): void {
    this.#former.delete(head.path);
    this.#former.set(head.path, { id: ownId(head), kind: kindOf(head), inode: head.inode });
    const [oldest] = this.#former.keys();
    if (this.#former.size > mostFormer && oldest !== undefined) this.#former.delete(oldest);
  }
}

/** The id that a note answers to. A mail has the id of its draft as well, which is not its own. */
export function ownId(note: NoteHead): string | undefined {
  return textOf(note, kindOf(note) === 'mail' ? 'message_id' : 'draft_id');
}
