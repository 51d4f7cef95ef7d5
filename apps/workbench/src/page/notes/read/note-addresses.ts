import { hrefTo } from '../../model/route.ts';
import type { Addresses } from '../../parts/content/render-markdown.ts';
import { parentOf, titleOf } from '../tree/tree-rows.ts';
import { wikiMark } from './wiki-links.ts';

/** Resolves the links and pictures of a note to notes and files of the vault. */
export function noteAddresses(path: string, notes: readonly string[]): Addresses {
  const folder = parentOf(path);
  const find = byName(notes);
  return {
    link: (address) => {
      const { name, heading, isWiki } = read(address);
      const options: Record<string, string> = heading === '' ? {} : { heading };
      if (name === '') return hrefTo('notes', path, options);
      if (isWiki) return hrefTo('notes', find(name, folder) ?? asNote(name), options);
      const target = join(folder, name);
      if (target === undefined) return undefined;
      return /\.md$/i.test(target) ? hrefTo('notes', target, options) : fileAddress(target);
    },
    image: (address) => {
      const { name, isWiki } = read(address);
      const target = join(isWiki && name.includes('/') ? '' : folder, name);
      return target === undefined ? undefined : fileAddress(target);
    },
  };
}

/** The address of a file of the vault. */
export function fileAddress(path: string): string {
  return `/api/file?path=${encodeURIComponent(path)}`;
}

function read(address: string) {
  const isWiki = address.startsWith(wikiMark);
  const plain = decode(isWiki ? address.slice(wikiMark.length) : address);
  const [name = '', heading = ''] = plain.split(/#(.*)/s);
  return { name: isWiki ? name : name.replace(/\?.*$/s, ''), heading, isWiki };
}

/** Finds a note by path or name, ignoring case; the same folder is preferred. */
function byName(notes: readonly string[]): (name: string, folder: string) => string | undefined {
  let index: Map<string, string[]> | undefined;
  return (name, folder) => {
    index ??= Map.groupBy(notes, (path) => titleOf(path).toLowerCase());
    const wanted = asNote(name).toLowerCase();
    const fitting = (index.get(titleOf(wanted).toLowerCase()) ?? []).filter((path) =>
      `/${path.toLowerCase()}`.endsWith(`/${wanted}`),
    );
    return (
      fitting.find((path) => path.toLowerCase() === wanted) ??
      fitting.find((path) => parentOf(path) === folder) ??
      fitting[0]
    );
  };
}

function asNote(name: string): string {
  return /\.md$/i.test(name) ? name : `${name}.md`;
}

/** Joins a path; undefined when it leaves the vault or is not a path. */
function join(folder: string, relative: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(relative)) return undefined;
  const parts = relative.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
