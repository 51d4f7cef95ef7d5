import { createHash } from 'node:crypto';
import { McpError } from '@errand/server-kit';

/** A part of a long text, and where the next one begins. */
export interface TextPage {
  readonly text: string;
  readonly next_cursor?: string;
}

/**
 * Cuts a text into pages of about so many characters, at the ends of lines. A cursor holds for this very text: when the
 * text has changed meanwhile, the next page would not fit to the one before.
 */
export function textPage(text: string, limit: number, cursor: string | undefined): TextPage {
  const version = versionOf(text);
  const from = cursor === undefined ? 0 : readCursor(cursor, version, text.length);
  const most = from + limit;
  if (most >= text.length) return { text: text.slice(from) };
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  const isTorn = /[\ud800-\udbff]/.test(text[most - 1] ?? '');
  const to = lineEnd > from + limit / 2 ? lineEnd : most - (isTorn ? 1 : 0);
  return { text: text.slice(from, to), next_cursor: `${to}.${version}` };
}

function readCursor(cursor: string, version: string, length: number): number {
  const [, digits = '', given] = /^(\d{1,15})\.([\w-]+)$/.exec(cursor) ?? [];
  if (given === undefined || Number(digits) > length) {
    throw new McpError(
      'invalid_input',
      'The cursor does not belong to this question. Leave it out to start from the beginning.',
    );
  }
  if (given === version) return Number(digits);
  throw new McpError(
    'conflict',
    'What was asked for has changed since the page before. Leave the cursor out to start again.',
  );
}

function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}
