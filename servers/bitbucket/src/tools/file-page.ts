import { createHash } from 'node:crypto';
import { McpError } from '@errand/server-kit';

interface FilePage {
  readonly size: number;
  readonly is_binary?: boolean;
  readonly text?: string;
  readonly next_cursor?: string;
}

const newline = 0x0a;

/** A page of a file. Only the page is made text: a file of 50 MB would be several times that as one. */
export function filePage(
  bytes: Uint8Array,
  options: {
    readonly start_line?: number | undefined;
    readonly max_length: number;
    readonly cursor?: string | undefined;
  },
): FilePage {
  const size = bytes.length;
  if (isBinary(bytes)) return { size, is_binary: true };
  const { start_line, max_length, cursor } = options;
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
  const from =
    cursor === undefined ? lineStart(bytes, start_line ?? 1) : readCursor(cursor, version, size);
  const most = Math.min(size, from + max_length);
  const to = most === size ? size : cutBefore(bytes, from, most);
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  return { size, text, ...(to < size && { next_cursor: `${to}.${version}` }) };
}

/** Where a page ends: after a line if it is long enough, and never inside of a character. */
function cutBefore(bytes: Uint8Array, from: number, most: number): number {
  const line = bytes.lastIndexOf(newline, most - 1) + 1;
  if (line > from + (most - from) / 2) return line;
  let to = most;
  while (to > from && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
  return to === from ? most : to;
}

function lineStart(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = bytes.indexOf(newline, at);
    if (end === -1) {
      throw new McpError('invalid_input', `The file has only ${passed} lines.`, { lines: passed });
    }
    at = end + 1;
  }
  return at;
}

function readCursor(cursor: string, version: string, size: number): number {
  const [, digits = '', given] = /^(\d{1,15})\.([\w-]+)$/.exec(cursor) ?? [];
  if (given === version && Number(digits) <= size) return Number(digits);
  throw new McpError(
    given === undefined ? 'invalid_input' : 'conflict',
    'The cursor does not fit to this file, or the file has changed. Leave it out to start again.',
  );
}

/** Whether the beginning is no text, as Git decides it. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
