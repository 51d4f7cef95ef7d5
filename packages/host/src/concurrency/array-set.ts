/**
 * An unordered set backed by an array, for members that are added and removed often. When V8 rehashes a busy `Set`
 * or `Map`, the old table retains its former members until the next full garbage collection.
 */
export class ArraySet<Member> implements Iterable<Member> {
  readonly #entries: Entry<Member>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Returns a function that takes the member out again. */
  add(member: Member): () => void {
    const entry = { member, index: this.#entries.length };
    this.#entries.push(entry);
    return () => this.#remove(entry);
  }

  [Symbol.iterator](): Iterator<Member> {
    return this.#entries.map(({ member }) => member).values();
  }

  #remove(entry: Entry<Member>): void {
    if (this.#entries[entry.index] !== entry) return;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#entries[entry.index] = last;
    last.index = entry.index;
  }
}

interface Entry<Member> {
  readonly member: Member;
  index: number;
}
