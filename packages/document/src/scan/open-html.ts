import { endsHtmlBlock } from './html-block.ts';
import type { LineCursor } from './line-cursor.ts';
import type { Container } from './note-scan.ts';
import type { ResultMarker } from './scan-records.ts';

/** An HTML block whose end is not yet known. */
export interface OpenHtml {
  readonly from: number;
  readonly line: number;
  /** CommonMark's seven; 2 is a comment, 6 and 7 end at a blank line. */
  readonly kind: number;
}

export function isHtmlEnded({ kind }: OpenHtml, { text, offset, end }: LineCursor): boolean {
  return kind <= 5 && endsHtmlBlock(kind, text.slice(offset, end));
}

/** The marker of a live result that an HTML block's first line is, if it is one. */
export function resultMarker(
  { from, line, kind }: OpenHtml,
  { text, end }: LineCursor,
  container: () => Container | null,
): ResultMarker | null {
  if (kind !== 2) return null;
  const isStart = text.startsWith('<!-- mcp-result', from);
  if (!isStart && !text.startsWith('<!-- /mcp-result', from)) return null;
  return { kind: isStart ? 'markdown' : 'end', from, to: end, line, container: container() };
}

/** Whether a line of text has the first marker of a live result in it: a person wrote in front of it. */
export function isRemarkedMarker(text: string, from: number, to: number): boolean {
  return remarked.test(text.slice(from, to));
}

// Only as Errand writes it; in a code span it is mentioned.
const remarked = /[^`]<!-- mcp-result (?:req=\w{10} )?sum=\w{10}[^>]*-->/;
