import { type TrailingId, trailingBlockId } from './block-id.ts';
import { linkReferenceEnd } from './link-reference.ts';

/** The open paragraph: where its lines are, and what could still become of it. */
export class Paragraph {
  readonly #text: string;
  line = 0;
  from = 0;
  lastLine = 0;
  lastEnd = 0;
  /** First line of the block before it in the same container, 0 if it is the first. */
  lineBefore = 0;
  isFirstInItem = false;
  /** Start and end of the text of each line, after its containers' prefix. */
  readonly #lines: number[] = [];
  #count = 0;
  #firstLeft = 0;

  constructor(text: string) {
    this.#text = text;
  }

  open(line: number, from: number, lineBefore: number, isFirstInItem: boolean): void {
    this.line = line;
    this.from = from;
    this.lineBefore = lineBefore;
    this.isFirstInItem = isFirstInItem;
    this.#count = 0;
    this.#firstLeft = 0;
  }

  add(from: number, to: number, line: number): void {
    this.#lines[this.#count++] = from;
    this.#lines[this.#count++] = to;
    this.lastLine = line;
    this.lastEnd = to;
  }

  /** The block id at its end, if there is one. */
  blockId(): TrailingId | null {
    const from = this.#lines[this.#count - 2] ?? 0;
    return trailingBlockId(this.#text, from, this.lastEnd);
  }

  /** Its text without the link reference definitions at its start; null when nothing else is in it. */
  takeHeadingText(): string | null {
    const lines: string[] = [];
    for (let at = this.#firstLeft; at < this.#count; at += 2) {
      lines.push(this.#text.slice(this.#lines[at], this.#lines[at + 1]));
    }
    if (lines[0]?.startsWith('[')) this.#dropReferences(lines);
    return lines.length === 0 ? null : lines.join('\n').trim();
  }

  #dropReferences(lines: string[]): void {
    const content = `${lines.join('\n')}\n`;
    let at = 0;
    for (let end = linkReferenceEnd(content, 0); end > 0; end = linkReferenceEnd(content, at)) {
      at = end;
    }
    if (at === 0) return;
    const dropped = content.slice(0, at).split('\n').length - 1;
    lines.splice(0, dropped);
    this.#firstLeft += 2 * dropped;
  }
}
