import type { KeyedBlock } from './note-blocks.ts';
import { withoutLastBreaks } from './without-last-breaks.ts';

/** Where a rendered block is said to stand: lines of the text, counted from 0. */
export interface RenderedPlace {
  readonly lineStart: number;
  readonly lineEnd: number;
}

/**
 * The request that a rendered block shows. The place is that of the whole callout or list when it stands
 * in one, and may be unknown; of several that could be meant, none is taken.
 */
export function findBlock(
  blocks: readonly KeyedBlock[],
  body: string,
  place: RenderedPlace | undefined,
): KeyedBlock | undefined {
  const same = blocksLike(blocks, body);
  const exact = same.find(({ block }) => block.line - 1 === place?.lineStart);
  if (exact !== undefined) return exact;
  const near = same.filter(({ block }) => place === undefined || isWithin(block.line - 1, place));
  return near.length === 1 ? near[0] : undefined;
}

/** The requests with this body. Looked up once for all that are rendered of a note. */
export function blocksLike(blocks: readonly KeyedBlock[], body: string): readonly KeyedBlock[] {
  const known = byBody.get(blocks) ?? groupByBody(blocks);
  byBody.set(blocks, known);
  return known.get(withoutLastBreaks(body)) ?? [];
}

type ByBody = ReadonlyMap<string, readonly KeyedBlock[]>;

const byBody = new WeakMap<readonly KeyedBlock[], ByBody>();

function groupByBody(blocks: readonly KeyedBlock[]): ByBody {
  const groups = new Map<string, KeyedBlock[]>();
  for (const each of blocks) {
    const body = bodyOf(each.block.source);
    const group = groups.get(body);
    if (group === undefined) groups.set(body, [each]);
    else group.push(each);
  }
  return groups;
}

function isWithin(line: number, { lineStart, lineEnd }: RenderedPlace): boolean {
  return line >= lineStart && line <= lineEnd;
}

/** The text of a request without the line that opens its fence. */
function bodyOf(source: string): string {
  return withoutLastBreaks(source.slice(source.indexOf('\n') + 1));
}
