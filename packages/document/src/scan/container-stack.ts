import type { Container } from './note-scan.ts';

interface OpenContainer {
  isQuote: boolean;
  columns: number;
  from: number;
  line: number;
  /** How many of the containers around it are quotes. */
  quotesAround: number;
  /** First line of the latest child block; 0 while there is none. Items of one list count as one child. */
  childLine: number;
  isChildList: boolean;
  container: Container | null;
}

/** The block quotes and list items that are open at one place, outermost first. */
export class ContainerStack {
  depth = 0;
  // Entries are reused, so that a list of a million items allocates nothing for them.
  readonly #entries: OpenContainer[] = [];
  readonly #quotes: number[] = [];
  #rootChildLine = 0;
  #isRootChildList = false;

  isQuote(index: number): boolean {
    return this.#entries[index]?.isQuote ?? false;
  }

  columns(index: number): number {
    return this.#entries[index]?.columns ?? 0;
  }

  push(isQuote: boolean, from: number, line: number, columns: number): void {
    this.addChild(line, !isQuote);
    const quotesAround = this.#quotes.length;
    if (isQuote) this.#quotes.push(this.depth);
    const reused = this.#entries[this.depth++];
    if (reused === undefined) {
      this.#entries.push({
        isQuote,
        columns,
        from,
        line,
        quotesAround,
        childLine: 0,
        isChildList: false,
        container: null,
      });
      return;
    }
    reused.isQuote = isQuote;
    reused.columns = columns;
    reused.from = from;
    reused.line = line;
    reused.quotesAround = quotesAround;
    reused.childLine = 0;
    reused.isChildList = false;
    reused.container = null;
  }

  popTo(depth: number): void {
    if (depth >= this.depth) return;
    this.#quotes.length = this.#entries[depth]?.quotesAround ?? 0;
    this.depth = depth;
  }

  /** Tells the innermost container that a block begins in it; gives the first line of the block before. */
  addChild(line: number, isItem: boolean): number {
    const parent = this.#entries[this.depth - 1];
    if (this.depth === 0 || parent === undefined) {
      const before = this.#rootChildLine;
      if (!(isItem && this.#isRootChildList)) this.#rootChildLine = line;
      this.#isRootChildList = isItem;
      return before;
    }
    const before = parent.childLine;
    if (!(isItem && parent.isChildList)) parent.childLine = line;
    parent.isChildList = isItem;
    return before;
  }

  /** Whether the innermost container is an item in which nothing has begun yet. */
  get isAtEmptyItem(): boolean {
    const inner = this.#entries[this.depth - 1];
    return this.depth > 0 && inner !== undefined && !inner.isQuote && inner.childLine === 0;
  }

  /** How many containers a line goes on in when it is blank after the first `matched` of them. */
  matchedByBlank(matched: number): number {
    const entry = this.#entries[matched];
    const quote = this.#quotes[entry?.quotesAround ?? 0];
    if (quote !== undefined) return quote;
    return this.isAtEmptyItem ? this.depth - 1 : this.depth;
  }

  /** The innermost open container as others see it. */
  innermost(): Container | null {
    let parent: Container | null = null;
    // Only those below the deepest known one are made.
    let index = this.depth - 1;
    while (index >= 0 && this.#entries[index]?.container === null) index--;
    if (index >= 0) parent = this.#entries[index]?.container ?? null;
    for (index++; index < this.depth; index++) {
      const entry = this.#entries[index];
      if (entry === undefined) break;
      entry.container = {
        kind: entry.isQuote ? 'quote' : 'item',
        from: entry.from,
        line: entry.line,
        columns: entry.columns,
        parent,
      };
      parent = entry.container;
    }
    return parent;
  }
}
