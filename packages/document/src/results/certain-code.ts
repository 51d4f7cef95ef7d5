import { lastIndex } from '../last-index.ts';

/** A code span, its backticks included. */
interface CodeSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * The code spans of lines without a blank one between them, when every program that reads Markdown finds the same;
 * null when programs may differ. A cell of a table, a formula or a link to a note can end where CommonMark
 * alone would go on reading code, and what one program takes for code another would obey.
 */
export function certainCode(text: string): readonly CodeSpan[] | null {
  if (mayHoldLink(text)) return null;
  const cell = delimiterRow.test(text) ? /[^|\n]+/g : /[^\n]+/g;
  const spans: CodeSpan[] = [];
  for (const { index, 0: line } of text.matchAll(cell)) {
    const found = pairedRuns(line);
    if (found === null) return null;
    spans.push(...found.map(({ from, to }) => ({ from: index + from, to: index + to })));
  }
  return mayHoldFormula(text, spans) ? null : spans;
}

/** A backtick in a link to a note, or in a footnote. By pieces: a pattern would read on anew from each bracket. */
function mayHoldLink(text: string): boolean {
  return text.split(/[\]\n]/).some((piece) => {
    const opening = piece.search(/\[\[|\^\[/);
    return opening !== -1 && piece.includes('`', opening + 2);
  });
}

/** The line below the head of a table. */
const delimiterRow = /^[ \t>]*[|:-][-:| \t]*$/m;

/** Each run of backticks with the next of its length; null when one is left alone. */
function pairedRuns(line: string): readonly CodeSpan[] | null {
  const spans: CodeSpan[] = [];
  const runs = [...line.matchAll(/\\?(`+)/g)].map(({ index, 0: run, 1: ticks = '' }) => {
    const isEscaped = run.length > ticks.length;
    return { at: index + (isEscaped ? 1 : 0), length: ticks.length, isEscaped };
  });
  for (let next = 0; next < runs.length; next++) {
    const run = runs[next];
    if (run === undefined || run.isEscaped) return null;
    let end = runs[++next];
    while (end !== undefined && end.length !== run.length) end = runs[++next];
    if (end === undefined) return null;
    spans.push({ from: run.at, to: end.at + end.length });
  }
  return spans;
}

/** Two dollar signs, one of them outside of code. */
function mayHoldFormula(text: string, spans: readonly CodeSpan[]): boolean {
  const signs = [...text.matchAll(/\$/g)].map(({ index }) => index);
  const isCode = spanFinder(spans);
  return signs.length > 1 && signs.some((at) => !isCode(at));
}

/** Tests whether an offset is in one of the spans. */
export function spanFinder(spans: readonly CodeSpan[]): (at: number) => boolean {
  return (at) => at < (spans[lastIndex(spans, ({ from }) => from <= at)]?.to ?? 0);
}
