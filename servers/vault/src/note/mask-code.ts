import { scan } from '@errand/document';

/**
 * The text with everything blanked out in which `#` and `[[` mean nothing: fenced and inline code,
 * comments, formulas, and the results of Errand. Every other character stays at its place.
 */
export function maskCode(text: string): string {
  const { fences, comments, math, liveResults } = scan(text);
  const spans = [...fences, ...comments, ...math, ...liveResults].sort((a, b) => a.from - b.from);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    if (to <= at) continue;
    parts.push(text.slice(at, Math.max(at, from)), blank(text.slice(Math.max(at, from), to)));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('').replaceAll(inlineCode, blank);
}

/** Closed by as many backticks as opened it, before the paragraph ends; bounded, so never slow. */
const inlineCode = /(?<!`)(`+)(?!`)(?:(?!\n[ \t\r]*\n)[\s\S]){0,2000}?[^`]\1(?!`)/g;

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
