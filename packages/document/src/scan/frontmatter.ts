import { LineEnds } from './line-ends.ts';
import { isBlank } from './line-tests.ts';
import type { Frontmatter } from './note-scan.ts';

/** The frontmatter: a bare `---` line at the very start, after a byte order mark at most, up to the next. */
export function findFrontmatter(text: string): Frontmatter | null {
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!text.startsWith('---', from)) return null;
  const lineEnds = new LineEnds(text);
  let end = lineEnds.next(from);
  if (!isDelimiter(text, from, end)) return null;
  const bodyFrom = lineEnds.after(end);
  for (let at = bodyFrom, line = 2; at < text.length; at = lineEnds.after(end), line++) {
    end = lineEnds.next(at);
    if (!isDelimiter(text, at, end)) continue;
    return { from, to: end, line: 1, endLine: line, bodyFrom, bodyTo: at };
  }
  return null;
}

/** Whether a note begins like frontmatter that has no end: the next bare `---` line would be its end. */
export function opensFrontmatter(text: string): boolean {
  return /^\uFEFF?---[ \t]*(?:\r|\n|$)/.test(text) && findFrontmatter(text) === null;
}

function isDelimiter(text: string, from: number, end: number): boolean {
  return text.startsWith('---', from) && end >= from + 3 && isBlank(text, from + 3, end);
}
