import { difference } from '@errand/document/display';
import type { Block, Note } from '../../../contract.ts';

type Read = Pick<Note, 'text'> & {
  readonly blocks: readonly Pick<Block, 'result'>[];
};

/**
 * Merges results written to the file into unsaved text. Undefined when anything else changed in the
 * file, or when the unsaved text touches a result.
 */
export function mergeResults(before: Read, after: Read, unsaved: string): string | undefined {
  const [old, now, mine] = [linesOf(before.text), linesOf(after.text), linesOf(unsaved)];
  const [kept, places] = [textLines(old, before), textLines(now, after)];
  const isOnlyResults =
    kept.length === places.length &&
    kept.every((line, index) => old[line] === now[places[index] ?? -1]);
  const typed = difference(old, mine);
  if (!isOnlyResults || typed === undefined) return undefined;
  const placeOf = new Map(kept.map((line, index) => [line, places[index] ?? 0]));
  placeOf.set(old.length, now.length);
  const from = placeOf.get(typed.from);
  const to = placeOf.get(typed.toBefore);
  if (from === undefined || to === undefined) return undefined;
  // A result is, or was, among the replaced lines.
  const own = kept.filter((line) => typed.from <= line && line < typed.toBefore).length;
  const replaced = typed.toBefore - typed.from;
  if (own !== replaced || to - from !== replaced) return undefined;
  const ownLines = mine.slice(typed.from, typed.toAfter);
  return [...now.slice(0, from), ...ownLines, ...now.slice(to)].join('');
}

/** Lines with their ends. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\r\n|\n|\r(?!\n))/);
}

/** Indexes of lines outside of results and of the blank line above each. */
function textLines(lines: readonly string[], { blocks }: Read): readonly number[] {
  const taken = new Set<number>();
  for (const { result } of blocks) {
    if (result === null) continue;
    for (let line = result.line - 1; line < result.endLine; line += 1) taken.add(line);
    const above = result.line - 2;
    if (/^[\s>]*$/.test(lines[above] ?? 'x')) taken.add(above);
  }
  return lines.flatMap((_, line) => (taken.has(line) ? [] : [line]));
}
