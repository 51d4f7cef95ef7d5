import {
  isFaithful,
  lineEndOf,
  type NoteParts,
  readParts,
  withFrontmatter,
} from '@errand/document/frontmatter';
import { VaultError } from '../vault-error.ts';
import { likeLineEnds } from './compose-note.ts';
import { findSection } from './note-lines.ts';

/** The note with text added at its end, or at the end of the section under a heading. */
export function appendToBody(text: string, added: string, heading?: string): string {
  const parts = readParts(text);
  const bodyStart = parts.split.bodyStart;
  const end = heading === undefined ? text.length : findSection(text, heading).to;
  const at = heading === undefined ? end : withoutBlankLines(text, bodyStart, end);
  const before = text.slice(bodyStart, at);
  const after = text.slice(at);
  const lineEnd = lineEndOf(text);
  const own = likeLineEnds(text, added);
  const isOpenLine = before !== '' && !before.endsWith('\n');
  const body = `${before}${isOpenLine ? lineEnd : ''}${own}${own.endsWith('\n') ? '' : lineEnd}${after}`;
  return withBody(parts, body);
}

/** The note with a piece of its body exchanged, if that piece occurs exactly once. */
export function patchBody(path: string, text: string, oldText: string, newText: string): string {
  const parts = readParts(text);
  const body = text.slice(parts.split.bodyStart);
  const wanted = likeLineEnds(text, oldText);
  const first = body.indexOf(wanted);
  const occurrences = countOccurrences(body, wanted);
  if (occurrences !== 1) throw notUnique(path, text, wanted, occurrences);
  const replacement = likeLineEnds(text, newText);
  return withBody(parts, body.slice(0, first) + replacement + body.slice(first + wanted.length));
}

function withBody({ split, parsed }: NoteParts, body: string): string {
  const text = split.text.slice(0, split.bodyStart) + body;
  if (parsed?.status === 'broken') return text;
  const values = parsed?.values ?? {};
  return isFaithful(text, values, body) ? text : withFrontmatter(split.text, values, body);
}

function withoutBlankLines(text: string, from: number, to: number): number {
  const blank = /(?:[ \t]*\r?\n)*[ \t]*$/.exec(text.slice(from, to));
  const at = to - (blank?.[0].length ?? 0);
  // The line end of the last written line belongs to that line.
  return text.startsWith('\r\n', at) ? at + 2 : text.startsWith('\n', at) ? at + 1 : at;
}

function countOccurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

function notUnique(path: string, text: string, wanted: string, occurrences: number): VaultError {
  if (occurrences > 1) {
    return new VaultError(
      'invalid_input',
      `The old text occurs ${occurrences} times in ${path}. Give more of what surrounds it, so that it is unique.`,
      { path, occurrences },
    );
  }
  const hint = text.includes(wanted)
    ? 'It is in the frontmatter: use update_frontmatter.'
    : 'Read the note again and copy the text exactly.';
  return new VaultError(
    'invalid_input',
    `The old text does not occur in the body of ${path}. ${hint}`,
    { path, occurrences },
  );
}
