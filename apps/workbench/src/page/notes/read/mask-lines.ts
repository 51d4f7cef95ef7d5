import type { Block } from '../../../contract.ts';

/** Text with blanked frontmatter and results, so that line numbers stay valid. */
export interface MaskedText {
  readonly text: string;
  /** The lines between the two `---`. */
  readonly frontmatter: readonly string[];
}

/**
 * Blanks the lines that are not rendered as text. Inside a quote the quote marks are kept, so that
 * the quote continues.
 */
export function maskLines(
  text: string,
  blocks: readonly Pick<Block, 'line' | 'result'>[],
): MaskedText {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const frontmatter = frontmatterOf(lines);
  if (frontmatter.length > 0) lines.fill('', 0, frontmatter.length + 2);
  for (const { line, result } of blocks) {
    if (result === null) continue;
    const quotes = quoteMarks(lines[line - 1] ?? '');
    for (let at = result.line - 1; at < result.endLine; at += 1) {
      lines[at] = prefixWith(lines[at] ?? '', quotes);
    }
  }
  return { text: lines.join('\n'), frontmatter };
}

function frontmatterOf(lines: readonly string[]): readonly string[] {
  if (!isRule(lines[0])) return [];
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  return end === -1 ? [] : lines.slice(1, end);
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line);
}

/** The quote depth of a fence's opening line. */
function quoteMarks(line: string): number {
  return line.split(/[`~]/, 1)[0]?.match(/>/g)?.length ?? 0;
}

function prefixWith(line: string, quotes: number): string {
  if (quotes === 0) return '';
  let left = quotes;
  let end = 0;
  while (end < line.length && left > 0 && /[ \t>]/.test(line.charAt(end))) {
    if (line[end] === '>') left -= 1;
    end += 1;
  }
  return line.slice(0, end);
}
