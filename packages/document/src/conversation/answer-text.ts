import { applyEdits, type TextEdit } from '../edits.ts';
import { neutralize, outsideFences } from '../results/neutralize.ts';
import { findFencesWithoutHtml } from '../scan/fences-without-html.ts';
import { lineStart } from '../scan/lines.ts';
import { scan } from '../scan/scan.ts';
import { opensTurn } from './find-conversations.ts';

/**
 * What a model wrote, as it may stand in a note: it runs nothing, hides nothing, opens no turn, and
 * leaves the outline as it is: a heading of an answer must not begin a section with other rules.
 */
export function answerText(raw: string, assistants: readonly string[]): string {
  return withoutRoleLines(withoutHeadings(neutralize(raw)), assistants);
}

/**
 * How much of an answer that is still coming can be written: up to the last blank line before which
 * every fence and formula has its end, as `neutralize` sees them: what is written must not change again.
 */
export function settledLength(raw: string): number {
  const { fences } = findFencesWithoutHtml(raw);
  const formulas = outsideFences(raw, fences, /\$\$/g, '');
  for (let at = raw.lastIndexOf('\n\n'); at > 0; at = raw.lastIndexOf('\n\n', at - 1)) {
    const cut = at + 2;
    const isInFence = fences.some(
      ({ from, to, isClosed }) => from < cut && (cut <= to || !isClosed),
    );
    const formulasAbove = formulas.filter(({ range: [from] }) => from < cut).length;
    if (!isInFence && formulasAbove % 2 === 0) return cut;
  }
  return 0;
}

/** Headings become bold lines. */
function withoutHeadings(text: string): string {
  const edits: TextEdit[] = [];
  for (const { from, to, container } of scan(text).headings) {
    if (container !== null) continue;
    // Two signs that only what is taken out kept apart must not come together.
    const words = headingText(text.slice(from, to)).replace(/\*{2,}/g, '*');
    // An empty heading ended the list above it, and so must its replacement.
    const bold = words === '' ? '\\#' : `**${words}**`;
    const before = isBelowBlank(text, from) ? '' : '\n';
    const after = /^\n[ \t]*(?:\n|$)|^$/.test(text.slice(to)) ? '' : '\n';
    edits.push({ range: [from, to], text: `${before}${bold}${after}` });
  }
  return applyEdits(text, edits);
}

/** Whether no text above a line could continue in it. */
function isBelowBlank(text: string, at: number): boolean {
  const start = lineStart(text, at);
  return start === 0 || text.slice(lineStart(text, start - 1), start).trim() === '';
}

/** Of `## Words ##`, or of words with a line of `===` or `---` below them. */
function headingText(source: string): string {
  const trimmed = source.trim();
  if (/^#{1,6}(?:[ \t]|$)/.test(trimmed)) {
    return trimmed
      .replace(/^#+/, '')
      .replace(/[ \t]+#+$/, '')
      .trim();
  }
  return trimmed
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trim())
    .join(' ');
}

function withoutRoleLines(text: string, assistants: readonly string[]): string {
  if (!text.includes('#')) return text;
  return text
    .split('\n')
    .map((line) => (opensTurn(line, assistants) ? `\\${line}` : line))
    .join('\n');
}
