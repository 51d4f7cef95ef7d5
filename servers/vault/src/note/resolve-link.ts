import { posix } from 'node:path';
import type { NoteLink } from './find-links.ts';

/** A note's name as links use it: without folders and `.md`, in one spelling. */
export function linkKey(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.md$/i, '')
    .normalize('NFC')
    .toLowerCase();
}

/**
 * The note a link leads to, out of those that have its name. As in Obsidian: a path is taken from the
 * linking note's folder or the vault, or as the end of a path; of several notes with one name, that in
 * the same folder, else the one nearest to the vault's folder.
 */
export function resolveLink(
  link: NoteLink,
  from: string,
  candidates: readonly string[],
): string | undefined {
  const wanted = spelled(link.target);
  const folder = posix.dirname(from);
  const relative = spelled(posix.normalize(posix.join(folder, link.target)));
  const isRelative = link.kind === 'markdown' || /^\.{1,2}\//.test(wanted);
  const named = candidates.filter((path) => linkKey(path) === linkKey(wanted));
  const exactly = (target: string) => named.find((path) => spelled(path) === `${target}.md`);
  const direct = isRelative ? exactly(relative) : undefined;
  const found = direct ?? exactly(wanted.replace(/^\//, ''));
  if (found !== undefined || wanted.startsWith('.')) return found;
  const fitting = named.filter((path) => `/${spelled(path)}`.endsWith(`/${wanted}.md`));
  return fitting.sort((a, b) => distance(a, folder) - distance(b, folder) || (a < b ? -1 : 1))[0];
}

function distance(path: string, folder: string): number {
  return posix.dirname(path) === folder ? 0 : path.split('/').length;
}

function spelled(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
