import { findLinks } from '../note/find-links.ts';
import { maskCode } from '../note/mask-code.ts';
import { lineAt } from '../note/note-lines.ts';
import { linkKey, resolveLink } from '../note/resolve-link.ts';
import { maximumSnippet, snippetAround } from '../search/snippet-around.ts';
import { Pace } from './pace.ts';
import type { QueryOptions } from './query-options.ts';
import type { VaultIndex } from './vault-index.ts';

/** A place in a note that links to another. */
export interface Backlink {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
}

export interface BacklinksAnswer {
  readonly links: readonly Backlink[];
  /** All notes with the name of the one asked for, which a link might mean instead. */
  readonly namesakes: readonly string[];
}

/** Finds the links that lead to a note (given by its real path), in the order of the linking notes. */
export async function findBacklinks(
  index: VaultIndex,
  path: string,
  asking: QueryOptions = {},
): Promise<BacklinksAnswer> {
  await index.refresh(asking.signal);
  const { notes } = index;
  const key = linkKey(path);
  const rows = index.ask((database) => database.withLinkTo(key), []);
  const entries = [...rows.flatMap((id) => index.entryOf(id) ?? []), ...notes.pending];
  const namesakes = notes.below('').filter((other) => linkKey(other) === key);
  const links: Backlink[] = [];
  const pace = new Pace();
  for (const [done, entry] of entries.sort((a, b) => (a.path < b.path ? -1 : 1)).entries()) {
    const note = index.reader.read(entry.path);
    if (note !== undefined) links.push(...linksIn(note.text, entry.path, path, namesakes));
    if (!pace.isDue) continue;
    asking.progress?.(done, entries.length);
    await pace.breathe(asking.signal);
  }
  return { links, namesakes };
}

function linksIn(text: string, from: string, to: string, namesakes: readonly string[]): Backlink[] {
  if (!/\[\[|\]\(/.test(text)) return [];
  return findLinks(maskCode(text))
    .filter((link) => resolveLink(link, from, namesakes) === to)
    .map(({ range: [start, end] }) => {
      const lineStart = text.lastIndexOf('\n', start) + 1;
      const [line = ''] = text.slice(lineStart, end + maximumSnippet).split(/\r?\n/);
      const snippet = snippetAround(line, start - lineStart, end - start);
      return { path: from, line: lineAt(text, start), snippet };
    });
}
