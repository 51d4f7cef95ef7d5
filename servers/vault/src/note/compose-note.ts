import {
  editFrontmatter,
  type FrontmatterValues,
  isFaithful,
  lineEndOf,
  readParts,
  withFrontmatter,
} from '@errand/document/frontmatter';
import { VaultError } from '../vault-error.ts';
import { noteContent } from './note-content.ts';

/** What a note shall become. */
export interface NewContent {
  readonly frontmatter: FrontmatterValues;
  readonly body: string;
  /** Whether keys of the present frontmatter that are not named stay. */
  readonly keepOtherKeys: boolean;
}

/**
 * The text of a note with a new frontmatter and body. Of the present text survive the byte order mark,
 * the line ends, and the bytes of every frontmatter key whose value is the same.
 */
export function composeNote(path: string, current: string, wanted: NewContent): string {
  // A byte order mark is the file's, not the text's.
  const body = likeLineEnds(current, wanted.body.replace(/^\ufeff+/, ''));
  const values = wanted.keepOtherKeys
    ? { ...noteContent(path, current).frontmatter, ...wanted.frontmatter }
    : wanted.frontmatter;
  const edited = editFrontmatter(current, {
    set: values,
    remove: keysOf(current).filter((key) => !Object.hasOwn(values, key)),
  });
  if (edited !== undefined) {
    const head = edited.slice(0, readParts(edited).split.bodyStart);
    const text = head + (/---[ \t]*$/.test(head) && body !== '' ? lineEndOf(current) : '') + body;
    if (isFaithful(text, values, body)) return text;
  }
  return checked(path, withFrontmatter(current, values, body), values, body);
}

/** The text of a note with some keys of its frontmatter changed. */
export function composeFrontmatter(
  path: string,
  current: string,
  set: FrontmatterValues,
  remove: readonly string[],
): string {
  noteContent(path, current);
  const edited = editFrontmatter(current, { set, remove });
  if (edited !== undefined) return edited;
  throw new VaultError(
    'invalid_input',
    `The frontmatter of ${path} is written so that these keys cannot be changed without touching others. Put every key on a line of its own, or replace the whole note.`,
    { path },
  );
}

/** A text with the line ends of another, unless it brings carriage returns of its own. */
export function likeLineEnds(current: string, text: string): string {
  if (lineEndOf(current) === '\n' || text.includes('\r')) return text;
  return text.replaceAll('\n', '\r\n');
}

function keysOf(text: string): string[] {
  const { parsed } = readParts(text);
  return parsed?.status === 'ok' ? Object.keys(parsed.values) : [];
}

function checked(path: string, text: string, values: FrontmatterValues, body: string): string {
  if (isFaithful(text, values, body)) return text;
  throw new VaultError(
    'invalid_input',
    `The frontmatter for ${path} cannot be written as YAML. Use text, numbers, lists and plain objects.`,
    { path },
  );
}
