import { noteFacts } from './note-facts.ts';
import { Pace } from './pace.ts';
import type { QueryOptions } from './query-options.ts';
import type { VaultIndex } from './vault-index.ts';

export interface TagCount {
  readonly tag: string;
  /** In how many notes it occurs. */
  readonly count: number;
}

/** Counts the notes of each tag, the most used first; large and small letters make no difference. */
export async function countTags(index: VaultIndex, asking: QueryOptions = {}): Promise<TagCount[]> {
  await index.refresh(asking.signal);
  const { notes } = index;
  const spellings = new Map(index.ask((database) => database.tagCounts(), []));
  const add = (tag: string, count: number) => spellings.set(tag, (spellings.get(tag) ?? 0) + count);
  const waiting = [...notes.pending];
  for (const { staleId } of waiting) {
    for (const tag of index.ask((database) => database.tagsOf(staleId), [])) add(tag, -1);
  }
  const pace = new Pace();
  for (const [done, { path }] of waiting.entries()) {
    const note = index.reader.read(path);
    if (note !== undefined) for (const tag of noteFacts(note.text).tags) add(tag, 1);
    if (!pace.isDue) continue;
    asking.progress?.(done, waiting.length);
    await pace.breathe(asking.signal);
  }
  return mergeSpellings(spellings).sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}

/** Under the spelling that is used most. A note that uses two spellings counts twice, which is rare. */
function mergeSpellings(spellings: ReadonlyMap<string, number>): TagCount[] {
  const merged = new Map<string, TagCount & { readonly most: number }>();
  for (const [tag, count] of spellings) {
    if (count <= 0) continue;
    const key = tag.toLowerCase();
    const known = merged.get(key);
    const isMost = known === undefined || count > known.most;
    merged.set(key, {
      tag: isMost ? tag : known.tag,
      count: count + (known?.count ?? 0),
      most: isMost ? count : known.most,
    });
  }
  return [...merged.values()].map(({ tag, count }) => ({ tag, count }));
}
