/** Finds line ends forward: LF, CRLF, CR. No part of the text is searched twice for the same character. */
export class LineEnds {
  readonly #text: string;
  #nextReturn = -1;
  #nextFeed = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the line that contains `from`, before its line break. Offsets must not decrease. */
  next(from: number): number {
    if (this.#nextReturn < from) {
      const found = this.#text.indexOf('\r', from);
      this.#nextReturn = found < 0 ? this.#text.length : found;
    }
    if (this.#nextFeed < from) {
      const found = this.#text.indexOf('\n', from);
      this.#nextFeed = found < 0 ? this.#text.length : found;
    }
    return Math.min(this.#nextFeed, this.#nextReturn);
  }

  /** Where the next line begins, given where this one ends. */
  after(end: number): number {
    const isPair = end === this.#nextReturn && this.#text.charCodeAt(end + 1) === 10;
    return isPair ? end + 2 : end + 1;
  }
}
