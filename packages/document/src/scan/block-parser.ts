import { trailingBlockId } from './block-id.ts';
import {
  type Checkpoint,
  checkpointDepth,
  checkpointDistance,
  isSameLeaf,
  type OpenLeaf,
} from './checkpoint.ts';
import { ContainerStack } from './container-stack.ts';
import { htmlBlockKind } from './html-block.ts';
import { LineCursor } from './line-cursor.ts';
import { LineEnds } from './line-ends.ts';
import { fenceLength, headingContent, headingLevel, underlineLevel } from './line-tests.ts';
import { lineEndBefore } from './lines.ts';
import { isListMarker, skipListMarker } from './list-marker.ts';
import { isFenceClosed, type OpenFence, openFence } from './open-fence.ts';
import { isHtmlEnded, type OpenHtml, resultMarker } from './open-html.ts';
import { type Paragraph, paragraphId, takeHeadingText } from './paragraph.ts';
import { countRecords, type ScanRecords } from './scan-records.ts';
import { ThematicBreak } from './thematic-break.ts';

/**
 * The block phase of CommonMark, line by line: which containers go on, what begins, what ends.
 * It agrees with the reference implementation on every fence and heading; tests compare them.
 */
export class BlockParser {
  readonly records: ScanRecords;
  readonly checkpoints: Checkpoint[] = [];
  readonly #text: string;
  readonly #cursor: LineCursor;
  readonly #lineEnds: LineEnds;
  readonly #stack = new ContainerStack();
  readonly #htmlStarts: number[] | null;
  readonly #thematicBreak = new ThematicBreak();
  readonly #container = () => this.#stack.innermost();
  #leafKind: OpenLeaf['kind'] = 'none';
  // Of these, the one that `#leafKind` names is open; the others mean nothing.
  #paragraph!: Paragraph;
  #fence!: OpenFence;
  #html!: OpenHtml;
  #line: number;
  #position: number;
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
    this.records = records;
    this.#htmlStarts = htmlStarts;
    this.#text = text;
    this.#cursor = new LineCursor(text);
    this.#lineEnds = new LineEnds(text);
    this.#position = from.position;
    this.#line = from.line;
    this.#previousEnd = lineEndBefore(text, from.position);
    this.#stack.restore(from.levels);
    this.#restoreLeaf(from.leaf);
  }

  /** The number of the line it stands before. */
  get line(): number {
    return this.#line;
  }

  /** Reads to the end of the text, or to the first of these checkpoints that stands as it did. */
  run(known: readonly Checkpoint[] = []): Checkpoint | null {
    const { length } = this.#text;
    const distance = checkpointDistance(length);
    let nextKnown = 0;
    let nextCheckpoint = this.#position;
    while (this.#position < length) {
      for (let old = known[nextKnown]; old !== undefined; old = known[++nextKnown]) {
        if (old.position > this.#position) break;
        if (this.#isAt(old)) return old;
      }
      if (this.#position >= nextCheckpoint && this.#stack.depth <= checkpointDepth) {
        this.checkpoints.push(this.#checkpoint());
        nextCheckpoint = this.#position + distance;
      }
      const end = this.#lineEnds.next(this.#position);
      this.#cursor.begin(this.#position, end);
      this.#readLine();
      this.#previousEnd = end;
      this.#position = this.#lineEnds.after(end);
      this.#line++;
    }
    this.#closeTo(0);
    return null;
  }

  #isAt({ position, line, levels, leaf }: Checkpoint): boolean {
    if (this.#position !== position || this.#line !== line) return false;
    return this.#stack.equals(levels) && isSameLeaf(this.#openLeaf(), leaf);
  }

  #checkpoint(): Checkpoint {
    return {
      position: this.#position,
      line: this.#line,
      levels: this.#stack.snapshot(),
      leaf: this.#openLeaf(),
      counts: countRecords(this.records),
    };
  }

  #openLeaf(): OpenLeaf {
    switch (this.#leafKind) {
      case 'paragraph':
        return { kind: 'paragraph', at: { ...this.#paragraph } };
      case 'fence':
        return { kind: 'fence', at: this.#fence };
      case 'html':
        return { kind: 'html', at: this.#html };
      default:
        return { kind: this.#leafKind };
    }
  }

  #restoreLeaf(leaf: OpenLeaf): void {
    this.#leafKind = leaf.kind;
    if (leaf.kind === 'paragraph') this.#paragraph = { ...leaf.at };
    else if (leaf.kind === 'fence') this.#fence = leaf.at;
    else if (leaf.kind === 'html') this.#html = leaf.at;
  }

  #readLine(): void {
    const matched = this.#matchContainers();
    const allMatched = matched === this.#stack.depth;
    if (allMatched && this.#continueLeaf()) return;
    this.#startBlocks(matched, allMatched && this.#leafKind === 'paragraph');
  }

  /** To which level of containers the line goes on; the cursor then stands after their markers. */
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

  /** Whether the line belongs wholly to the open code or HTML block. */
  #continueLeaf(): boolean {
    const cursor = this.#cursor;
    switch (this.#leafKind) {
      case 'none':
        return false;
      case 'paragraph':
        if (cursor.isBlank) this.#closeLeaf();
        return false;
      case 'fence':
        if (isFenceClosed(this.#fence, cursor)) this.#endFence(cursor.end, this.#line, true);
        return true;
      case 'html':
        if (cursor.isBlank && this.#html.kind >= 6) {
          this.#closeLeaf();
          return false;
        }
        if (isHtmlEnded(this.#html, cursor)) this.#endHtml(cursor.end, this.#line);
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
        if (this.#leafKind === 'paragraph') break;
        this.#begin('indented', depth);
        return;
      }
      const { code, nonspace } = cursor;
      if (code === 62) {
        this.#closeTo(depth);
        this.#stack.push(true, nonspace, this.#line, 0);
        cursor.skipQuoteMarker();
      } else {
        if (this.#startLeaf(code, depth, inParagraph)) return;
        const columns = isListMarker(code) ? skipListMarker(cursor, inParagraph) : 0;
        if (columns === 0) break;
        this.#closeTo(depth);
        this.#stack.push(false, nonspace, this.#line, columns);
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
    this.#begin('none', depth);
    return true;
  }

  #startHeading(depth: number): boolean {
    const { nonspace, end } = this.#cursor;
    const level = headingLevel(this.#text, nonspace, end);
    if (level === 0) return false;
    this.#begin('none', depth);
    const content = headingContent(this.#text, nonspace + level, end);
    this.#addHeading(level, nonspace, this.#line, content);
    return true;
  }

  #underlineParagraph(): boolean {
    const { nonspace, end } = this.#cursor;
    const level = underlineLevel(this.#text, nonspace, end);
    if (level === 0) return false;
    const content = takeHeadingText(this.#paragraph, this.#text, this.#stack.innermost());
    if (content === null) return false;
    this.#leafKind = 'none';
    this.#addHeading(level, this.#paragraph.from, this.#paragraph.line, content);
    return true;
  }

  #addHeading(level: number, from: number, line: number, content: string): void {
    const span = { from, to: this.#cursor.end, line, endLine: this.#line };
    const container = this.#stack.innermost();
    const id = trailingBlockId(content, 0, content.length);
    const text = id === null ? content : content.slice(0, id.from).trimEnd();
    this.records.headings.push({ ...span, level, text, container, within: null });
    if (id === null) return;
    const { from: at, to } = span;
    this.records.blockIds.push({
      id: id.id,
      names: 'heading',
      line,
      from: at,
      to,
      blockLine: line,
      container,
      within: null,
    });
  }

  #startFence(depth: number): boolean {
    const cursor = this.#cursor;
    const length = fenceLength(this.#text, cursor.nonspace, cursor.end);
    if (length === 0) return false;
    this.#begin('fence', depth);
    this.#fence = openFence(cursor, length, this.#line);
    return true;
  }

  #startHtml(depth: number): boolean {
    const cursor = this.#cursor;
    const isInParagraph = this.#leafKind === 'paragraph';
    const kind = htmlBlockKind(this.#text, cursor.nonspace, cursor.end, isInParagraph);
    if (kind === 0) return false;
    if (this.#htmlStarts !== null) {
      this.#htmlStarts.push(cursor.nonspace);
      return false;
    }
    this.#begin('html', depth);
    this.#html = { from: cursor.nonspace, line: this.#line, kind };
    const marker = resultMarker(this.#html, cursor, this.#container);
    if (marker !== null) this.records.markers.push(marker);
    if (isHtmlEnded(this.#html, cursor)) this.#endHtml(cursor.end, this.#line);
    return true;
  }

  #readText(depth: number, inParagraph: boolean): void {
    const { nonspace, end, isBlank, code } = this.#cursor;
    if (isBlank) {
      this.#closeTo(depth);
      return;
    }
    const isLazy = depth < this.#stack.depth && this.#leafKind === 'paragraph';
    if (!inParagraph && !isLazy) this.#startParagraph(depth);
    this.#paragraph.lastFrom = nonspace;
    this.#paragraph.lastTo = end;
    this.#paragraph.lastLine = this.#line;
    if ((code === 37 || code === 36) && this.#text.charCodeAt(nonspace + 1) === code) {
      const kind = code === 37 ? 'comment' : 'math';
      this.records.openers.push({ kind, from: nonspace, line: this.#line });
    }
  }

  #startParagraph(depth: number): void {
    const { nonspace, end } = this.#cursor;
    this.#closeTo(depth);
    const isFirstInItem = this.#stack.isAtEmptyItem;
    const lineBefore = this.#begin('paragraph', depth);
    this.#paragraph = {
      line: this.#line,
      from: nonspace,
      lineBefore,
      isFirstInItem,
      leftFrom: nonspace,
      lastFrom: nonspace,
      lastTo: end,
      lastLine: this.#line,
    };

    if (lineBefore !== 0 || !this.#text.startsWith('[!mcp]', nonspace)) return;
    const quote = this.#stack.innermost();
    if (quote?.kind !== 'quote' || quote.line !== this.#line) return;
    if (!this.#text.slice(nonspace, end).includes('<!-- mcp-result')) return;
    const { from, parent: container } = quote;
    this.records.markers.push({ kind: 'callout', from, to: end, line: this.#line, container });
  }

  /** Closes what is open below that depth and begins a leaf; gives the line of the block before it. */
  #begin(kind: OpenLeaf['kind'], depth: number): number {
    this.#closeTo(depth);
    this.#leafKind = kind;
    return this.#stack.addChild(this.#line, false);
  }

  #closeTo(depth: number): void {
    if (this.#leafKind !== 'none') this.#closeLeaf();
    this.#stack.popTo(depth);
  }

  #closeLeaf(): void {
    const kind = this.#leafKind;
    this.#leafKind = 'none';
    if (kind === 'fence') this.#endFence(this.#previousEnd, this.#line - 1, false);
    else if (kind === 'html') this.#endHtml(this.#previousEnd, this.#line - 1);
    else if (kind === 'paragraph') {
      const id = paragraphId(this.#paragraph, this.#text, this.#container);
      if (id !== null) this.records.blockIds.push(id);
    }
  }

  #endFence(to: number, endLine: number, isClosed: boolean): void {
    this.#leafKind = 'none';
    const container = this.#stack.innermost();
    this.records.fences.push({ ...this.#fence, to, endLine, isClosed, container, within: null });
  }

  #endHtml(to: number, endLine: number): void {
    this.#leafKind = 'none';
    const { kind, from, line } = this.#html;
    if (kind === 2) this.records.comments.push({ kind: 'html', from, to, line, endLine });
  }
}
