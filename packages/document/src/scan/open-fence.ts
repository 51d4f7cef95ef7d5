import type { LineCursor } from './line-cursor.ts';
import { closesFence } from './line-tests.ts';
import type { Fence } from './note-scan.ts';

/** A fenced code block whose end is not yet known. */
export type OpenFence = Pick<Fence, 'from' | 'line' | 'marker' | 'length' | 'indent' | 'info'>;

/** The fence of that length that opens at the cursor. */
export function openFence(cursor: LineCursor, length: number, line: number): OpenFence {
  const { text, nonspace, end, indent, code } = cursor;
  const info = text.slice(nonspace + length, end).trim();
  return { from: nonspace, line, marker: code === 96 ? '`' : '~', length, indent, info };
}

export function isFenceClosed(fence: OpenFence, cursor: LineCursor): boolean {
  const { text, indent, nonspace, end } = cursor;
  const marker = fence.marker === '`' ? 96 : 126;
  return indent <= 3 && closesFence(text, nonspace, end, marker, fence.length);
}
