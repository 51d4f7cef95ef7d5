import { hash } from 'node:crypto';
import { type FrontmatterValues, readParts } from '@errand/document/frontmatter';
import { VaultError } from '../vault-error.ts';

/** A note as tools see it. */
export interface NoteContent {
  readonly frontmatter: FrontmatterValues;
  readonly body: string;
}

/** The letters of a note, or `parse_error`: replacing what is not UTF-8 would corrupt it on writing. */
export function decodeNote(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new VaultError(
      'parse_error',
      `${path} is not UTF-8 text. Open it in an editor and save it as UTF-8.`,
      { path },
      { cause },
    );
  }
}

/** Frontmatter and body, or `parse_error` with the line of the file that is wrong. */
export function noteContent(path: string, text: string): NoteContent {
  const { split, parsed } = readParts(text);
  if (parsed?.status === 'broken') throw brokenFrontmatter(path, parsed);
  return {
    frontmatter: parsed?.status === 'ok' ? parsed.values : {},
    body: text.slice(split.bodyStart),
  };
}

/** Names a note's content: two notes with equal bytes have equal tags. */
export function etagOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}

function brokenFrontmatter(
  path: string,
  { line, reason }: { readonly line: number; readonly reason: string },
): VaultError {
  // The fence itself is the file's first line.
  const fileLine = line + 1;
  return new VaultError(
    'parse_error',
    `The frontmatter of ${path} is not valid YAML: line ${fileLine}: ${reason}. Fix that line in an editor.`,
    { path, line: fileLine },
  );
}
