import { foreignLines } from '@errand/host';
import stringWidth from 'fast-string-width';
import type { Terminal } from './terminal.ts';

/** How wide a terminal is. */
export type Width = Pick<Terminal['stderr'], 'isTTY' | 'columns'>;

/**
 * A stranger's text with a mark before each line, so that none of it passes for words of ours. It is broken
 * before the terminal does: what that would put on a line of its own has no mark.
 */
export function markLines(text: string, { isTTY, columns = 80 }: Width, indent = ''): string {
  const width = isTTY
    ? Math.max(20, columns - indent.length - mark.length)
    : Number.POSITIVE_INFINITY;
  return foreignLines(text)
    .flatMap((line) => breakLine(line, width))
    .map((line) => `${indent}${mark}${line}\n`)
    .join('');
}

const mark = '│ ';

function breakLine(line: string, width: number): readonly string[] {
  // Every letter takes at most two columns.
  if (line.length * 2 <= width) return [line];
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const rows = [''];
  let used = 0;
  for (const { segment } of letters.segment(line)) {
    const wide = stringWidth(segment);
    if (used + wide > width) {
      rows.push('');
      used = 0;
    }
    rows[rows.length - 1] += segment;
    used += wide;
  }
  return rows;
}
