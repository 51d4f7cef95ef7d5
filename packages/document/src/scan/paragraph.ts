import { trailingBlockId } from './block-id.ts';
import { containedLines } from './contained-lines.ts';
import { afterLineEnd, countLineEnds, lineEnd } from './lines.ts';
import { linkReferenceEnd } from './link-reference.ts';
import type { BlockId, Container } from './note-scan.ts';

/** An open paragraph, which may still become a heading or end in a block id. */
export interface Paragraph {
  readonly line: number;
  readonly from: number;
  /** First line of the block before it in its container, 0 if it is the first. */
  readonly lineBefore: number;
  readonly isFirstInItem: boolean;
  /** Where its text begins after the link reference definitions that were taken from it. */
  leftFrom: number;
  /** The text of its last line. */
  lastFrom: number;
  lastTo: number;
  lastLine: number;
}

/** The block id at its end, if there is one. */
export function paragraphId(
  paragraph: Paragraph,
  text: string,
  container: () => Container | null,
): BlockId | null {
  const { lastFrom, lastTo, lastLine } = paragraph;
  const id = trailingBlockId(text, lastFrom, lastTo);
  if (id === null) return null;
  const isAlone = id.from === paragraph.from;
  return {
    id: id.id,
    names: isAlone ? 'block-before' : paragraph.isFirstInItem ? 'item' : 'block',
    line: lastLine,
    from: id.from,
    to: lastTo,
    blockLine: isAlone ? paragraph.lineBefore : paragraph.line,
    container: container(),
    within: null,
  };
}

/**
 * Its text as a heading's, without the link reference definitions at its start; null when there is
 * nothing else in it. The definitions are taken from it for good, as the reference does.
 */
export function takeHeadingText(
  paragraph: Paragraph,
  text: string,
  container: Container | null,
): string | null {
  const lines = linesLeft(paragraph, text, container);
  if (lines[0]?.startsWith('[')) dropReferences(paragraph, text, lines);
  return lines.length === 0 ? null : lines.join('\n').trim();
}

function linesLeft(paragraph: Paragraph, text: string, container: Container | null): string[] {
  const { from, leftFrom, lastTo } = paragraph;
  const lines: string[] = [];
  let at = leftFrom;
  if (at === from) {
    // The first line may begin with the markers of its containers instead of their prefix.
    const end = lineEnd(text, from);
    lines.push(text.slice(from, end));
    at = afterLineEnd(text, end);
  }
  if (at > lastTo) return lines;
  for (const line of containedLines(text, at, lastTo, container, 0)) {
    lines.push(line.replace(/^[ \t]+/, ''));
  }
  return lines;
}

function dropReferences(paragraph: Paragraph, text: string, lines: string[]): void {
  const content = `${lines.join('\n')}\n`;
  let at = 0;
  for (let end = linkReferenceEnd(content, 0); end > 0; end = linkReferenceEnd(content, at)) {
    at = end;
  }
  const dropped = countLineEnds(content, 0, at);
  lines.splice(0, dropped);
  for (let left = dropped; left > 0; left--) {
    paragraph.leftFrom = afterLineEnd(text, lineEnd(text, paragraph.leftFrom));
  }
}
