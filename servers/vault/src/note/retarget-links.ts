import { posix } from 'node:path';
import { applyEdits, type TextEdit } from '@errand/document';
import { findLinks, type NoteLink } from './find-links.ts';
import { maskCode } from './mask-code.ts';
import { linkKey, resolveLink } from './resolve-link.ts';

/** A note's move, and which notes had and will have the two names. */
export interface NoteMove {
  readonly from: string;
  readonly to: string;
  /** Before the move, the notes whose name is the old one. */
  readonly oldNamesakes: readonly string[];
  /** After the move, the notes whose name is the new one. */
  readonly newNamesakes: readonly string[];
}

/** The text of a note with its links to a moved note leading there again, written as they were. */
export function retargetLinks(text: string, path: string, move: NoteMove): string {
  const edits = findLinks(maskCode(text)).flatMap((link): TextEdit[] => {
    if (resolveLink(link, path, move.oldNamesakes) !== move.from) return [];
    if (resolveLink(link, path, move.newNamesakes) === move.to) return [];
    return [{ range: link.range, text: written(link, path, move, text.slice(...link.range)) }];
  });
  return applyEdits(text, edits);
}

/**
 * The text of the moved note itself, whose Markdown links may start from its folder and so must change
 * with it: those that led to a note there, by what `isNote` says of paths in the vault.
 */
export function retargetOwnLinks(
  text: string,
  { from, to }: Pick<NoteMove, 'from' | 'to'>,
  isNote: (path: string) => boolean,
): string {
  const edits = findLinks(maskCode(text)).flatMap((link): TextEdit[] => {
    if (link.kind !== 'markdown' || link.target.startsWith('/')) return [];
    const led = `${posix.join(posix.dirname(from), link.target)}.md`;
    const leads = led === from ? to : led;
    if (leads === led && !isNote(led)) return [];
    const before = text.slice(...link.range);
    const written = encoded(posix.relative(posix.dirname(to), leads), before);
    return written === before ? [] : [{ range: link.range, text: written }];
  });
  return applyEdits(text, edits);
}

function written(
  link: NoteLink,
  path: string,
  { to, newNamesakes }: NoteMove,
  before: string,
): string {
  const bare = to.replace(/\.md$/i, '');
  const suffix = /\.md$/i.test(before) ? '.md' : '';
  if (link.kind === 'markdown') {
    const fromRoot = before.startsWith('/');
    const target = fromRoot ? `/${bare}` : posix.relative(posix.dirname(path), bare);
    return encoded(target + suffix, before);
  }
  const name = bare.slice(bare.lastIndexOf('/') + 1);
  const short: NoteLink = { ...link, target: name };
  const isClear = resolveLink(short, path, newNamesakes) === to && linkKey(to) === linkKey(name);
  return (isClear && !link.target.includes('/') ? name : bare) + suffix;
}

/** In the way the link was written: as it is between angle brackets, with percent signs elsewhere. */
function encoded(target: string, before: string): string {
  const isPlain = /[\s()]/.test(before);
  return isPlain ? target : target.replaceAll(/[\s()%<>]/g, (letter) => `%${hex(letter)}`);
}

function hex(letter: string): string {
  return letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}
