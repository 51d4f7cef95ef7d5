import type { LineCursor } from './line-cursor.ts';

/** Recognises thematic breaks: three or more of one marker, with white space, up to the end of the line. */
export class ThematicBreak {
  // Where the run stops is kept for the line, since each of its markers may open a list item in turn.
  #line = -1;
  #marker = 0;
  #stop = 0;

  stands(cursor: LineCursor, marker: number): boolean {
    const { text, start, nonspace, end } = cursor;
    if (this.#line !== start || this.#marker !== marker || this.#stop < nonspace) {
      let at = nonspace;
      for (; at < end; at++) {
        const code = text.charCodeAt(at);
        if (code !== marker && code !== 32 && code !== 9) break;
      }
      this.#line = start;
      this.#marker = marker;
      this.#stop = at;
    }
    if (this.#stop < end) return false;
    let count = 0;
    for (let at = nonspace; at < end && count < 3; at++) {
      if (text.charCodeAt(at) === marker) count++;
    }
    return count === 3;
  }
}
