import { trailingBlockId } from './block-id.ts';
import { ContainerStack } from './container-stack.ts';
import { endsHtmlBlock, htmlBlockKind } from './html-block.ts';
import { LineCursor } from './line-cursor.ts';
import { LineEnds } from './line-ends.ts';
import { closesFence, fenceLength, headingLevel, underlineLevel } from './line-tests.ts';
import { skipListMarker } from './list-marker.ts';
import { Paragraph } from './paragraph.ts';
import { emptyRecords, type ScanRecords } from './scan-records.ts';

type LeafKind = 'none' | 'paragraph' | 'fence' | 'html' | 'indented';

/**
 * The block phase of CommonMark, line by line: which containers go on, what begins, what ends.
 * It agrees with the reference implementation on every fence and heading; tests compare them.
 */
export class BlockParser {
  readonly records: ScanRecords = emptyRecords();
  readonly #text: string;
  readonly #cursor: LineCursor;
  readonly #lineEnds: LineEnds;
  readonly #stack = new ContainerStack();
  readonly #paragraph: Paragraph;
  #leafKind: LeafKind = 'none';
  // The open code or HTML block; there is at most one.
  #leafFrom = 0;
  #leafLine = 0;
  #leafIndent = 0;
  #fenceMarker = 0;
  #fenceLength = 0;
  #fenceInfo = '';
  #htmlKind = 0;
  #line: number;
  #position: number;
  #previousEnd = 0;
  #breakMarker = 0;
  #breakStop = 0;

  constructor(text: string, position: number, line: number) {
    this.#text = text;
    this.#cursor = new LineCursor(text);
    this.#lineEnds = new LineEnds(text);
    this.#paragraph = new Paragraph(text);
    this.#position = position;
    this.#line = line;
  }

  /** Reads to the end of the text and gives the number of the last line. */
  run(): number {
    const length = this.#text.length;
    while (this.#position < length) {
      const end = this.#lineEnds.next(this.#position);
      this.#cursor.begin(this.#position, end);
      this.#breakStop = 0;
      this.#readLine();
      this.#previousEnd = end;
      this.#position = this.#lineEnds.after(end);
      this.#line++;
    }
    this.#closeTo(0);
    return this.#line - 1;
  }

  #readLine(): void {
    const matched = this.#matchContainers();
    const allMatched = matched === this.#stack.depth;
    if (allMatched && this.#continueLeaf()) return;
    this.#startBlocks(matched, allMatched && this.#leafKind === 'paragraph');
  }

  /** How many open containers the line goes on in; the cursor then stands after their markers. */
  #matchContainers(): number {
    const cursor = this.#cursor;
    const stack = this.#stack;
    for (let matched = 0; matched < stack.depth; matched++) {
      if (cursor.isBlank) return stack.matchedByBlank(matched);
      if (stack.isQuote(matched)) {
        if (cursor.indent > 3 || cursor.code !== 62) return matched;
        cursor.skipQuoteMarker();
      } else {
        if (cursor.indent < stack.columns(matched)) return matched;
        cursor.skipColumns(stack.columns(matched));
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
        if (cursor.indent <= 3 && this.#isClosingFence()) {
          this.#endFence(cursor.end, this.#line, true);
        }
        return true;
      case 'html':
        if (cursor.isBlank && this.#htmlKind >= 6) {
          this.#closeLeaf();
          return false;
        }
        this.#readHtmlLine();
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
        return this.#startFence(code, depth);
      case 60:
        return this.#startHtml(depth);
      case 61:
        return inParagraph && this.#underlineParagraph();
      case 45:
        if (inParagraph && this.#underlineParagraph()) return true;
    }
    if (code !== 45 && code !== 42 && code !== 95) return false;
    if (!this.#isThematicBreak(code)) return false;
    this.#begin('none', depth);
    return true;
  }

  #startHeading(depth: number): boolean {
    const { nonspace, end } = this.#cursor;
    const level = headingLevel(this.#text, nonspace, end);
    if (level === 0) return false;
    this.#begin('none', depth);
    const content = this.#text
      .slice(nonspace + level, end)
      .replace(/^[ \t]*#+[ \t]*$/, '')
      .replace(/[ \t]+#+[ \t]*$/, '');
    this.#addHeading(level, nonspace, this.#line, content.trim());
    return true;
  }

  #underlineParagraph(): boolean {
    const { nonspace, end } = this.#cursor;
    const level = underlineLevel(this.#text, nonspace, end);
    if (level === 0) return false;
    const text = this.#paragraph.takeHeadingText();
    if (text === null) return false;
    this.#leafKind = 'none';
    this.#addHeading(level, this.#paragraph.from, this.#paragraph.line, text);
    return true;
  }

  #addHeading(level: number, from: number, line: number, content: string): void {
    const { end } = this.#cursor;
    const container = this.#stack.innermost();
    const id = trailingBlockId(content, 0, content.length);
    this.records.headings.push({
      level,
      text: id === null ? content : content.slice(0, id.from).trimEnd(),
      from,
      to: end,
      line,
      endLine: this.#line,
      container,
      within: null,
    });
    if (id === null) return;
    this.records.blockIds.push({
      id: id.id,
      names: 'heading',
      line,
      from,
      to: end,
      blockLine: line,
      container,
      within: null,
    });
  }

  #startFence(marker: number, depth: number): boolean {
    const { nonspace, end, indent } = this.#cursor;
    const length = fenceLength(this.#text, nonspace, end);
    if (length === 0) return false;
    this.#begin('fence', depth);
    this.#leafFrom = nonspace;
    this.#leafLine = this.#line;
    this.#leafIndent = indent;
    this.#fenceMarker = marker;
    this.#fenceLength = length;
    this.#fenceInfo = this.#text.slice(nonspace + length, end).trim();
    return true;
  }

  #isClosingFence(): boolean {
    const { nonspace, end } = this.#cursor;
    return closesFence(this.#text, nonspace, end, this.#fenceMarker, this.#fenceLength);
  }

  #endFence(to: number, endLine: number, isClosed: boolean): void {
    this.#leafKind = 'none';
    this.records.fences.push({
      from: this.#leafFrom,
      to,
      line: this.#leafLine,
      endLine,
      marker: this.#fenceMarker === 96 ? '`' : '~',
      length: this.#fenceLength,
      indent: this.#leafIndent,
      info: this.#fenceInfo,
      isClosed,
      container: this.#stack.innermost(),
      within: null,
    });
  }

  #startHtml(depth: number): boolean {
    const { nonspace, end } = this.#cursor;
    const kind = htmlBlockKind(this.#text, nonspace, end, this.#leafKind === 'paragraph');
    if (kind === 0) return false;
    this.#begin('html', depth);
    this.#leafFrom = nonspace;
    this.#leafLine = this.#line;
    this.#htmlKind = kind;
    if (kind === 2) this.#noteResultMarker();
    this.#readHtmlLine();
    return true;
  }

  #readHtmlLine(): void {
    if (this.#htmlKind > 5) return;
    const { offset, end } = this.#cursor;
    if (endsHtmlBlock(this.#htmlKind, this.#text.slice(offset, end))) {
      this.#endHtml(end, this.#line);
    }
  }

  #endHtml(to: number, endLine: number): void {
    this.#leafKind = 'none';
    if (this.#htmlKind !== 2) return;
    const from = this.#leafFrom;
    this.records.comments.push({ kind: 'html', from, to, line: this.#leafLine, endLine });
  }

  #noteResultMarker(): void {
    const { nonspace, end } = this.#cursor;
    const text = this.#text;
    const isStart = text.startsWith('<!-- mcp-result', nonspace);
    if (!isStart && !text.startsWith('<!-- /mcp-result', nonspace)) return;
    this.records.markers.push({
      kind: isStart ? 'markdown' : 'end',
      from: nonspace,
      to: end,
      line: this.#line,
      container: this.#stack.innermost(),
    });
  }

  /** A run of one marker and white space; where it stops is kept, since each marker may open a list. */
  #isThematicBreak(marker: number): boolean {
    const { nonspace, end } = this.#cursor;
    if (this.#breakMarker !== marker || this.#breakStop < nonspace) {
      let at = nonspace;
      for (; at < end; at++) {
        const code = this.#text.charCodeAt(at);
        if (code !== marker && code !== 32 && code !== 9) break;
      }
      this.#breakMarker = marker;
      this.#breakStop = at;
    }
    if (this.#breakStop < end) return false;
    let count = 0;
    for (let at = nonspace; at < end && count < 3; at++) {
      if (this.#text.charCodeAt(at) === marker) count++;
    }
    return count === 3;
  }

  #readText(depth: number, inParagraph: boolean): void {
    const { nonspace, end, isBlank, code } = this.#cursor;
    if (isBlank) {
      this.#closeTo(depth);
      return;
    }
    const isLazy = depth < this.#stack.depth && this.#leafKind === 'paragraph';
    if (!inParagraph && !isLazy) this.#startParagraph(depth);
    this.#paragraph.add(nonspace, end, this.#line);
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
    this.#paragraph.open(this.#line, nonspace, lineBefore, isFirstInItem);
    if (lineBefore !== 0 || !this.#text.startsWith('[!mcp]', nonspace)) return;
    const quote = this.#stack.innermost();
    if (quote?.kind !== 'quote' || quote.line !== this.#line) return;
    if (!this.#text.slice(nonspace, end).includes('<!-- mcp-result')) return;
    const { from, parent: container } = quote;
    this.records.markers.push({ kind: 'callout', from, to: end, line: this.#line, container });
  }

  /** Closes what is open below that depth and begins a leaf; gives the line of the block before it. */
  #begin(kind: LeafKind, depth: number): number {
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
    else if (kind === 'paragraph') this.#endParagraph();
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    const id = paragraph.blockId();
    if (id === null) return;
    const isAlone = id.from === paragraph.from;
    this.records.blockIds.push({
      id: id.id,
      names: isAlone ? 'block-before' : paragraph.isFirstInItem ? 'item' : 'block',
      line: paragraph.lastLine,
      from: id.from,
      to: paragraph.lastEnd,
      blockLine: isAlone ? paragraph.lineBefore : paragraph.line,
      container: this.#stack.innermost(),
      within: null,
    });
  }
}

function isListMarker(code: number): boolean {
  return code === 45 || code === 42 || code === 43 || (code >= 48 && code <= 57);
}
