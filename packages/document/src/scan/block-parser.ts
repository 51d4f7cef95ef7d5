import { type Checkpoint, checkpointDepth, isSameLeaf } from './checkpoint.ts';
import { ContainerStack } from './container-stack.ts';
import { htmlBlockKind } from './html-block.ts';
import { Leaf } from './leaf.ts';
import { LineCursor } from './line-cursor.ts';
import { fenceLength, headingContent, headingLevel, underlineLevel } from './line-tests.ts';
import { lineEndBefore } from './lines.ts';
import { isListMarker, skipListMarker } from './list-marker.ts';
import { countRecords, type ScanRecords } from './scan-records.ts';
import { ThematicBreak } from './thematic-break.ts';

/**
 * The block phase of CommonMark, line by line: which containers continue, which blocks open and close.
 * It agrees with the reference implementation on every fence and heading; tests compare them.
 */
export class BlockParser {
  /** Where the next line begins, and its number. */
  position: number;
  line: number;
  readonly #records: ScanRecords;
  readonly #text: string;
  readonly #cursor: LineCursor;
  readonly #stack = new ContainerStack();
  readonly #leaf: Leaf;
  readonly #htmlStarts: number[] | null;
  readonly #thematicBreak = new ThematicBreak();
  #previousEnd: number;

  /**
   * Goes on from a checkpoint; `records` are those found before it. With a list for HTML starts it notes
   * there where an HTML block would begin, and reads on as if none did.
   */
  constructor(
    text: string,
    from: Checkpoint,
    records: ScanRecords,
    htmlStarts: number[] | null = null,
  ) {
    this.#records = records;
    this.#text = text;
    this.#cursor = new LineCursor(text);
    this.#leaf = new Leaf(text, this.#stack, records);
    this.#htmlStarts = htmlStarts;
    this.position = from.position;
    this.line = from.line;
    this.#previousEnd = lineEndBefore(text, from.position);
    this.#stack.restore(from.levels);
    this.#leaf.restore(from.leaf);
  }

  /** Reads the next line, which ends at `end`; the one after it begins at `next`. */
  readLine(end: number, next: number): void {
    this.#cursor.begin(this.position, end);
    const matched = this.#matchContainers();
    const allMatched = matched === this.#stack.depth;
    if (!allMatched || !this.#continueLeaf()) {
      this.#startBlocks(matched, allMatched && this.#leaf.kind === 'paragraph');
    }
    this.#previousEnd = end;
    this.position = next;
    this.line++;
  }

  /** Closes all open blocks at the end of the text. */
  finish(): void {
    this.#closeTo(0);
  }

  /** Whether the parser is at this checkpoint in the same state as when the checkpoint was taken. */
  isAt({ position, line, levels, leaf }: Checkpoint): boolean {
    if (this.position !== position || this.line !== line) return false;
    return this.#stack.equals(levels) && isSameLeaf(this.#leaf.snapshot(), leaf);
  }

  /** The state needed to resume here; null where too many containers are open. */
  checkpoint(): Checkpoint | null {
    if (this.#stack.depth > checkpointDepth) return null;
    return {
      position: this.position,
      line: this.line,
      levels: this.#stack.snapshot(),
      leaf: this.#leaf.snapshot(),
      counts: countRecords(this.#records),
    };
  }

  /** How many levels of containers the line continues; moves the cursor behind their markers. */
  #matchContainers(): number {
    const cursor = this.#cursor;
    const stack = this.#stack;
    for (let level = 1; level <= stack.depth; level++) {
      if (cursor.isBlank) return stack.levelOfBlank(level);
      if (stack.isQuote(level)) {
        if (cursor.indent > 3 || cursor.code !== 62) return level - 1;
        cursor.skipQuoteMarker();
      } else {
        if (cursor.indent < stack.columns(level)) return level - 1;
        cursor.skipColumns(stack.columns(level));
        cursor.find();
      }
    }
    return stack.depth;
  }

  /** Whether the whole line belongs to the open code or HTML block. */
  #continueLeaf(): boolean {
    const cursor = this.#cursor;
    const leaf = this.#leaf;
    if (cursor.isBlank && leaf.isEndedByBlank) {
      this.#closeLeaf();
      return false;
    }
    switch (leaf.kind) {
      case 'none':
      case 'paragraph':
        return false;
      case 'fence':
        leaf.readFenceLine(cursor, this.line);
        return true;
      case 'html':
        leaf.readHtmlLine(cursor, this.line);
        return true;
      case 'indented':
        if (cursor.isBlank || cursor.indent >= 4) return true;
        this.#closeLeaf();
        return false;
    }
  }

  #startBlocks(matched: number, startsInParagraph: boolean): void {
    const cursor = this.#cursor;
    let depth = matched;
    let inParagraph = startsInParagraph;
    for (; !cursor.isBlank; depth++) {
      if (cursor.indent >= 4) {
        if (this.#leaf.kind === 'paragraph') break;
        this.#begin(depth);
        this.#leaf.kind = 'indented';
        return;
      }
      const { code, nonspace } = cursor;
      if (code === 62) {
        this.#closeTo(depth);
        this.#stack.push(true, nonspace, this.line, 0);
        cursor.skipQuoteMarker();
      } else {
        if (this.#startLeaf(code, depth, inParagraph)) return;
        const columns = isListMarker(code) ? skipListMarker(cursor, inParagraph) : 0;
        if (columns === 0) break;
        this.#closeTo(depth);
        this.#stack.push(false, nonspace, this.line, columns);
      }
      inParagraph = false;
    }
    this.#readText(depth, inParagraph);
  }

  /** Reads the heading, fence, HTML block or thematic break that begins at the cursor, if any. */
  #startLeaf(code: number, depth: number, inParagraph: boolean): boolean {
    switch (code) {
      case 35:
        return this.#startHeading(depth);
      case 96:
      case 126:
        return this.#startFence(depth);
      case 60:
        return this.#startHtml(depth);
      case 61:
        return inParagraph && this.#underlineParagraph();
      case 45:
        if (inParagraph && this.#underlineParagraph()) return true;
    }
    if (code !== 45 && code !== 42 && code !== 95) return false;
    if (!this.#thematicBreak.stands(this.#cursor, code)) return false;
    this.#begin(depth);
    if (depth === 0) {
      const { nonspace: from, end: to } = this.#cursor;
      const { line } = this;
      this.#records.rules.push({ from, to, line, endLine: line, within: null });
    }
    return true;
  }

  #startHeading(depth: number): boolean {
    const { nonspace: from, end: to } = this.#cursor;
    const level = headingLevel(this.#text, from, to);
    if (level === 0) return false;
    this.#begin(depth);
    const span = { from, to, line: this.line, endLine: this.line };
    this.#leaf.addHeading(span, level, headingContent(this.#text, from + level, to));
    return true;
  }

  #underlineParagraph(): boolean {
    const { nonspace, end } = this.#cursor;
    const level = underlineLevel(this.#text, nonspace, end);
    return level > 0 && this.#leaf.underline(level, end, this.line);
  }

  #startFence(depth: number): boolean {
    const cursor = this.#cursor;
    const length = fenceLength(this.#text, cursor.nonspace, cursor.end);
    if (length === 0) return false;
    this.#begin(depth);
    this.#leaf.openFence(cursor, length, this.line);
    return true;
  }

  #startHtml(depth: number): boolean {
    const cursor = this.#cursor;
    const isInParagraph = this.#leaf.kind === 'paragraph';
    const kind = htmlBlockKind(this.#text, cursor.nonspace, cursor.end, isInParagraph);
    if (kind === 0) return false;
    if (this.#htmlStarts !== null) {
      this.#htmlStarts.push(cursor.nonspace);
      return false;
    }
    this.#begin(depth);
    this.#leaf.openHtml(cursor, kind, this.line);
    return true;
  }

  #readText(depth: number, inParagraph: boolean): void {
    const cursor = this.#cursor;
    const leaf = this.#leaf;
    if (cursor.isBlank) {
      this.#closeTo(depth);
      return;
    }
    const isLazy = depth < this.#stack.depth && leaf.kind === 'paragraph';
    if (!inParagraph && !isLazy) {
      this.#closeTo(depth);
      const isFirstInItem = this.#stack.isAtEmptyItem;
      leaf.openParagraph(cursor, this.line, this.#begin(depth), isFirstInItem);
    }
    leaf.readParagraphLine(cursor, this.line);
  }

  /** Closes what is open below this depth for a new leaf; returns the line of the block before it. */
  #begin(depth: number): number {
    this.#closeTo(depth);
    return this.#stack.addChild(this.line, false);
  }

  #closeTo(depth: number): void {
    if (this.#leaf.kind !== 'none') this.#closeLeaf();
    this.#stack.popTo(depth);
  }

  #closeLeaf(): void {
    this.#leaf.close(this.#previousEnd, this.line - 1);
  }
}
