import type { Container } from './note-scan.ts';

/** One level of the stack. */
export interface OpenContainer {
  isQuote: boolean;
  columns: number;
  from: number;
  line: number;
  /** How many of the containers around it are quotes. */
  quotesAround: number;
  /** First line of the latest child block, 0 while there is none. The items of a list are one child. */
  childLine: number;
  isChildList: boolean;
  container: Container | null;
}

/** The block quotes and list items that are open at an offset. Level 1 is the outermost, 0 the note. */
export class ContainerStack {
  depth = 0;
  // Entries are reused, so that a list of a million items allocates nothing for them.
  readonly #entries: OpenContainer[] = [closed()];
  /** The levels that are quotes; entries beyond the count are stale. */
  readonly #quotes: number[] = [];
  #quoteCount = 0;

  isQuote(level: number): boolean {
    return this.#entry(level).isQuote;
  }

  columns(level: number): number {
    return this.#entry(level).columns;
  }

  /** Opens a quote, or an item whose further lines need this many columns of indent. */
  push(isQuote: boolean, from: number, line: number, columns: number): void {
    this.addChild(line, !isQuote);
    this.depth++;
    if (this.depth === this.#entries.length) this.#entries.push(closed());
    const entry = this.#entry(this.depth);
    entry.isQuote = isQuote;
    entry.columns = columns;
    entry.from = from;
    entry.line = line;
    entry.quotesAround = this.#quoteCount;
    entry.childLine = 0;
    entry.isChildList = false;
    entry.container = null;
    if (isQuote) this.#quotes[this.#quoteCount++] = this.depth;
  }

  popTo(depth: number): void {
    if (depth >= this.depth) return;
    this.#quoteCount = this.#entry(depth + 1).quotesAround;
    this.depth = depth;
  }

  /** Records that a block begins in the innermost container; returns the first line of the block before it. */
  addChild(line: number, isItem: boolean): number {
    const parent = this.#entry(this.depth);
    const before = parent.childLine;
    if (!isItem || !parent.isChildList) parent.childLine = line;
    parent.isChildList = isItem;
    return before;
  }

  /** Whether the innermost container is an empty item. */
  get isAtEmptyItem(): boolean {
    if (this.depth === 0) return false;
    const { isQuote, childLine } = this.#entry(this.depth);
    return !isQuote && childLine === 0;
  }

  /** The level that a line continues which is blank from this level on: up to the next quote. */
  levelOfBlank(level: number): number {
    const { quotesAround } = this.#entry(level);
    if (quotesAround < this.#quoteCount) return (this.#quotes[quotesAround] ?? 0) - 1;
    return this.isAtEmptyItem ? this.depth - 1 : this.depth;
  }

  /** The innermost open container, for records. */
  innermost(): Container | null {
    // Containers are created lazily; those around an existing one exist already.
    let level = this.depth;
    while (level > 0 && this.#entry(level).container === null) level--;
    let parent = this.#entry(level).container;
    while (level < this.depth) {
      const entry = this.#entry(++level);
      const { from, line, columns } = entry;
      parent = { kind: entry.isQuote ? 'quote' : 'item', from, line, columns, parent };
      entry.container = parent;
    }
    return parent;
  }

  /** A copy of all levels, from the note itself inward. */
  snapshot(): readonly Readonly<OpenContainer>[] {
    return this.#entries.slice(0, this.depth + 1).map((entry) => ({ ...entry }));
  }

  restore(levels: readonly Readonly<OpenContainer>[]): void {
    this.depth = levels.length - 1;
    this.#quoteCount = 0;
    for (const [level, entry] of levels.entries()) {
      this.#entries[level] = { ...entry };
      if (entry.isQuote) this.#quotes[this.#quoteCount++] = level;
    }
  }

  /** Whether the stack equals this copy. */
  equals(levels: readonly Readonly<OpenContainer>[]): boolean {
    if (levels.length !== this.depth + 1) return false;
    return levels.every((level, index) => {
      const entry = this.#entry(index);
      return (
        entry.isQuote === level.isQuote &&
        entry.columns === level.columns &&
        entry.from === level.from &&
        entry.line === level.line &&
        entry.childLine === level.childLine &&
        entry.isChildList === level.isChildList
      );
    });
  }

  #entry(level: number): OpenContainer {
    return this.#entries[level] as OpenContainer;
  }
}

function closed(): OpenContainer {
  return {
    isQuote: false,
    columns: 0,
    from: 0,
    line: 0,
    quotesAround: 0,
    childLine: 0,
    isChildList: false,
    container: null,
  };
}
