/**
 * A position in one line, in characters and in columns: tabs reach to the next multiple of four, and a
 * container may take only a part of one.
 */
export class LineCursor {
  readonly text: string;
  start = 0;
  end = 0;
  offset = 0;
  column = 0;
  /** The first character that is neither space nor tab; `end` on a blank line. */
  nonspace = 0;
  #nonspaceColumn = 0;
  /** Columns of the tab at `offset` that are consumed. */
  #takenOfTab = 0;
  /** Columns of white space before `nonspace`. */
  indent = 0;

  constructor(text: string) {
    this.text = text;
  }

  begin(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.offset = start;
    this.column = 0;
    this.nonspace = -1;
    this.#takenOfTab = 0;
    this.find();
  }

  get isBlank(): boolean {
    return this.nonspace === this.end;
  }

  /** Brings `nonspace` and `indent` up to date; white space once passed is not read again. */
  find(): void {
    if (this.nonspace < this.offset) {
      let at = this.offset;
      let column = this.column;
      for (; at < this.end; at++) {
        const code = this.text.charCodeAt(at);
        if (code === 32) column++;
        else if (code === 9) column += 4 - (column % 4);
        else break;
      }
      this.nonspace = at;
      this.#nonspaceColumn = column;
    }
    this.indent = this.#nonspaceColumn - this.column;
  }

  /** The character code at `nonspace`, -1 on a blank line. */
  get code(): number {
    return this.nonspace < this.end ? this.text.charCodeAt(this.nonspace) : -1;
  }

  toNonspace(): void {
    this.offset = this.nonspace;
    this.column = this.#nonspaceColumn;
    this.indent = 0;
    this.#takenOfTab = 0;
  }

  /** Passes characters that are not tabs. */
  skip(count: number): void {
    this.offset += count;
    this.column += count;
  }

  /** Passes that many columns, or fewer at the end of the line. */
  skipColumns(count: number): void {
    let left = count;
    while (left > 0 && this.offset < this.end) {
      if (this.text.charCodeAt(this.offset) !== 9) {
        this.offset++;
        this.column++;
        left--;
        this.#takenOfTab = 0;
        continue;
      }
      const width = 4 - (this.column % 4);
      this.#takenOfTab = width > left ? this.#takenOfTab + left : 0;
      if (width <= left) this.offset++;
      this.column += Math.min(width, left);
      left -= width;
    }
  }

  get isAtSpace(): boolean {
    const code = this.offset < this.end ? this.text.charCodeAt(this.offset) : 0;
    return code === 32 || code === 9;
  }

  restore(offset: number, column: number): void {
    this.offset = offset;
    this.column = column;
    this.nonspace = -1;
    this.#takenOfTab = 0;
  }

  /** The consumed part of the line; the consumed part of a tab becomes spaces. */
  passed(): string {
    return this.text.slice(this.start, this.offset) + ' '.repeat(this.#takenOfTab);
  }

  /** The rest of the line; the rest of a partly consumed tab becomes spaces. */
  rest(): string {
    if (this.#takenOfTab === 0) return this.text.slice(this.offset, this.end);
    return ' '.repeat(4 - (this.column % 4)) + this.text.slice(this.offset + 1, this.end);
  }

  /** Passes a block quote's `>` and the one column of white space that belongs to it. */
  skipQuoteMarker(): void {
    this.toNonspace();
    this.skip(1);
    if (this.isAtSpace) this.skipColumns(1);
    this.find();
  }
}
