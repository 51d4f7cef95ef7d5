import { trailingBlockId } from './block-id.ts';
import type { OpenLeaf } from './checkpoint.ts';
import type { ContainerStack } from './container-stack.ts';
import type { LineCursor } from './line-cursor.ts';
import type { Container } from './note-scan.ts';
import { isFenceClosed, type OpenFence, openFence } from './open-fence.ts';
import { isHtmlEnded, isRemarkedMarker, type OpenHtml, resultMarker } from './open-html.ts';
import { type Paragraph, paragraphId, takeHeadingText } from './paragraph.ts';
import type { ScanRecords } from './scan-records.ts';

/** The one leaf block that may be open, and the records that leaves become when they end. */
export class Leaf {
  kind: OpenLeaf['kind'] = 'none';
  readonly #records: ScanRecords;
  readonly #text: string;
  readonly #stack: ContainerStack;
  readonly #container: () => Container | null;
  // Only the one that `kind` names is valid.
  #paragraph!: Paragraph;
  #fence!: OpenFence;
  #html!: OpenHtml;

  constructor(text: string, stack: ContainerStack, records: ScanRecords) {
    this.#text = text;
    this.#stack = stack;
    this.#container = () => stack.innermost();
    this.#records = records;
  }

  snapshot(): OpenLeaf {
    switch (this.kind) {
      case 'paragraph':
        return { kind: 'paragraph', at: { ...this.#paragraph } };
      case 'fence':
        return { kind: 'fence', at: this.#fence };
      case 'html':
        return { kind: 'html', at: this.#html };
      default:
        return { kind: this.kind };
    }
  }

  restore(leaf: OpenLeaf): void {
    this.kind = leaf.kind;
    if (leaf.kind === 'paragraph') this.#paragraph = { ...leaf.at };
    else if (leaf.kind === 'fence') this.#fence = leaf.at;
    else if (leaf.kind === 'html') this.#html = leaf.at;
  }

  openFence(cursor: LineCursor, length: number, line: number): void {
    this.kind = 'fence';
    this.#fence = openFence(cursor, length, line);
  }

  /** Reads a line of the open fence, which may close it. */
  readFenceLine(cursor: LineCursor, line: number): void {
    if (isFenceClosed(this.#fence, cursor)) this.#endFence(cursor.end, line, true);
  }

  openHtml(cursor: LineCursor, kind: number, line: number): void {
    this.kind = 'html';
    this.#html = { from: cursor.nonspace, line, kind };
    const marker = resultMarker(this.#html, cursor, this.#container);
    if (marker !== null) this.#records.markers.push(marker);
    this.readHtmlLine(cursor, line);
  }

  get isEndedByBlank(): boolean {
    return this.kind === 'paragraph' || (this.kind === 'html' && this.#html.kind >= 6);
  }

  /** Reads a line of the open HTML block, which may end it. */
  readHtmlLine(cursor: LineCursor, line: number): void {
    if (isHtmlEnded(this.#html, cursor)) this.#endHtml(cursor.end, line);
  }

  /** `lineBefore` is the first line of the block before it in its container, 0 if it is the first. */
  openParagraph(
    cursor: LineCursor,
    line: number,
    lineBefore: number,
    isFirstInItem: boolean,
  ): void {
    const { nonspace: from, end } = cursor;
    this.kind = 'paragraph';
    this.#paragraph = {
      line,
      from,
      lineBefore,
      isFirstInItem,
      leftFrom: from,
      lastFrom: from,
      lastTo: end,
      lastLine: line,
    };
    // Of any type: a person may have given the callout of a result another one.
    if (lineBefore === 0 && this.#text.startsWith('[!', from)) this.#noteCallout(from, end, line);
    else if (isRemarkedMarker(this.#text, from, end)) {
      const container = this.#stack.innermost();
      this.#records.markers.push({ kind: 'markdown', from, to: end, line, container });
    }
  }

  readParagraphLine({ text, nonspace, end, code }: LineCursor, line: number): void {
    this.#paragraph.lastFrom = nonspace;
    this.#paragraph.lastTo = end;
    this.#paragraph.lastLine = line;
    if ((code === 37 || code === 36) && text.charCodeAt(nonspace + 1) === code) {
      const kind = code === 37 ? 'comment' : 'math';
      this.#records.openers.push({ kind, from: nonspace, line });
    }
  }

  /** Turns the open paragraph into a heading, unless it only holds link references. */
  underline(level: number, to: number, endLine: number): boolean {
    const content = takeHeadingText(this.#paragraph, this.#text, this.#stack.innermost());
    if (content === null) return false;
    this.kind = 'none';
    const { from, line } = this.#paragraph;
    this.addHeading({ from, to, line, endLine }, level, content);
    return true;
  }

  addHeading(
    span: { from: number; to: number; line: number; endLine: number },
    level: number,
    content: string,
  ): void {
    const { from, to, line } = span;
    const container = this.#stack.innermost();
    const id = trailingBlockId(content, 0, content.length);
    const text = id === null ? content : content.slice(0, id.from).trimEnd();
    this.#records.headings.push({ ...span, level, text, container, within: null });
    if (id === null) return;
    const named = { names: 'heading', line, from, to, blockLine: line } as const;
    this.#records.blockIds.push({ id: id.id, ...named, container, within: null });
  }

  /** Closes the open leaf, given the end of the line before. */
  close(previousEnd: number, previousLine: number): void {
    if (this.kind === 'fence') this.#endFence(previousEnd, previousLine, false);
    else if (this.kind === 'html') this.#endHtml(previousEnd, previousLine);
    else if (this.kind === 'paragraph') {
      const id = paragraphId(this.#paragraph, this.#text, this.#container);
      if (id !== null) this.#records.blockIds.push(id);
    }
    this.kind = 'none';
  }

  #endFence(to: number, endLine: number, isClosed: boolean): void {
    this.kind = 'none';
    const container = this.#stack.innermost();
    this.#records.fences.push({ ...this.#fence, to, endLine, isClosed, container, within: null });
  }

  #endHtml(to: number, endLine: number): void {
    this.kind = 'none';
    const { kind, from, line } = this.#html;
    if (kind === 2) this.#records.comments.push({ kind: 'html', from, to, line, endLine });
  }

  #noteCallout(textFrom: number, to: number, line: number): void {
    const quote = this.#stack.innermost();
    if (quote?.kind !== 'quote' || quote.line !== line) return;
    if (!this.#text.slice(textFrom, to).includes('<!-- mcp-result')) return;
    const { from, parent: container } = quote;
    this.#records.markers.push({ kind: 'callout', from, to, line, container });
  }
}
