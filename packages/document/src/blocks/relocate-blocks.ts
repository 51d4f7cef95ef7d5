import { resultGaps } from '../results/result-gaps.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import {
  headingTitle,
  type OutlineSection,
  outlineOf,
  sectionAt,
  sectionPath,
} from '../sections/outline.ts';
import type { ToolBlock } from './tool-block.ts';

/** A note at one time, with its blocks. */
export interface NoteBlocks {
  readonly scan: NoteScan;
  readonly blocks: readonly ToolBlock[];
}

/** The block in the changed note, or why it cannot be identified with certainty. */
export type Relocation =
  | { readonly kind: 'found'; readonly block: ToolBlock }
  | { readonly kind: 'lost'; readonly message: string };

/**
 * Finds blocks again after their note was changed: the same request to the same server with the same id. Equal ones are
 * told apart by the unchanged text before or after them, else by their section and the lines around them. No block
 * is found in another section than it was in, unless it has no equal. Takes time in proportion to the notes.
 */
export function relocateBlocks(
  before: NoteBlocks,
  now: NoteBlocks,
): (block: ToolBlock) => Relocation {
  if (before.scan.text === now.scan.text && before.blocks === now.blocks) {
    return (block) => ({ kind: 'found', block });
  }
  const groupsBefore = Map.groupBy(before.blocks, keyOf);
  const groupsNow = Map.groupBy(now.blocks, keyOf);
  let aligned: ReadonlyMap<ToolBlock, ToolBlock> | undefined;
  return (block) => {
    const candidates = groupsNow.get(keyOf(block)) ?? [];
    const [only] = candidates;
    if (only === undefined) return lost(block, 'was changed or removed');
    const isUnique = candidates.length === 1 && groupsBefore.get(keyOf(block))?.length === 1;
    if (isUnique) return { kind: 'found', block: only };
    aligned ??= alignBlocks(before, now);
    const found = aligned.get(block);
    if (found !== undefined) return { kind: 'found', block: found };
    return lost(block, 'has equals that were added, moved or removed');
  };
}

function keyOf({ server, id, source }: ToolBlock): string {
  // Ids and names of servers have no line end, so that no two blocks share a key by chance.
  return `${server ?? ''}\n${id ?? ''}\n${source}`;
}

function lost({ line }: ToolBlock, what: string): Relocation {
  const message = `The note was changed meanwhile and the block that was on line ${line} ${what}. Run it again.`;
  return { kind: 'lost', message };
}

/** A block where it would be if the note had no results, which come and go while a note runs. */
interface PlacedBlock {
  readonly block: ToolBlock;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

interface PlacedNote {
  readonly text: string;
  readonly blocks: readonly PlacedBlock[];
}

function alignBlocks(
  noteBefore: NoteBlocks,
  noteNow: NoteBlocks,
): ReadonlyMap<ToolBlock, ToolBlock> {
  const before = withoutResults(noteBefore);
  const now = withoutResults(noteNow);
  const { aligned, doubtful } = byUnchangedText(before, now);
  const taken = new Set(aligned.values());
  const left = before.blocks.filter(({ block }) => !aligned.has(block) && !doubtful.has(block));
  const free = now.blocks.filter(({ block }) => !taken.has(block));
  // When a text begins and ends as before, a block may be claimed twice; it then belongs to nobody.
  const open = doubtful.size > 0 ? [] : free;
  const near = byNeighbours(
    signatures(noteBefore, before, left),
    signatures(noteNow, now, open),
    aligned,
  );
  return inOrder(noteBefore.blocks, near);
}

function withoutResults({ scan, blocks }: NoteBlocks): PlacedNote {
  const gaps = resultGaps(scan).filter(({ isClosed }) => isClosed);
  const parts: string[] = [];
  const placed: PlacedBlock[] = [];
  let removed = 0;
  let at = 0;
  let next = 0;
  const cut = (until: number) => {
    for (let gap = gaps[next]; gap !== undefined && gap.from < until; gap = gaps[++next]) {
      if (gap.from < at) continue;
      parts.push(scan.text.slice(at, gap.from));
      removed += gap.to - gap.from;
      at = gap.to;
    }
  };
  for (const block of blocks) {
    cut(block.fence.from);
    const { from, to } = block.fence;
    placed.push({ block, key: keyOf(block), from: from - removed, to: to - removed });
  }
  cut(Number.POSITIVE_INFINITY);
  parts.push(scan.text.slice(at));
  return { text: parts.join(''), blocks: placed };
}

/** Pairs the blocks before which, or after which, all text is as it was. */
function byUnchangedText(before: PlacedNote, now: PlacedNote) {
  const aligned = new Map<ToolBlock, ToolBlock>();
  const doubtful = new Set<ToolBlock>();
  const claims = new Map<ToolBlock, ToolBlock>();
  const { prefix, suffix } = commonEnds(before.text, now.text);
  const starts = new Map(now.blocks.map((placed) => [placed.from, placed]));
  const shift = now.text.length - before.text.length;
  for (const { block, key, from, to } of before.blocks) {
    const first = to <= prefix ? starts.get(from) : undefined;
    const last = before.text.length - from <= suffix ? starts.get(from + shift) : undefined;
    const found = [first, last].filter((placed) => placed?.key === key);
    const [placed] = found;
    if (placed === undefined) continue;
    const rival = claims.get(placed.block);
    if (new Set(found).size > 1 || rival !== undefined) {
      doubtful.add(block);
      if (rival !== undefined) {
        doubtful.add(rival);
        aligned.delete(rival);
      }
    } else aligned.set(block, placed.block);
    for (const each of found) if (each !== undefined) claims.set(each.block, block);
  }
  return { aligned, doubtful };
}

/** How many characters two texts have in common at their beginning, and at their end. */
function commonEnds(a: string, b: string): { readonly prefix: number; readonly suffix: number } {
  const most = Math.min(a.length, b.length);
  if (a === b) return { prefix: most, suffix: most };
  let prefix = 0;
  while (prefix < most && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  const shift = b.length - a.length;
  for (let at = a.length - 1; suffix < most; at--, suffix++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at + shift)) break;
  }
  return { prefix, suffix };
}

/** What tells a block from its equals, from the most certain to the least. */
interface SignedBlock {
  readonly block: ToolBlock;
  readonly signatures: readonly string[];
}

/** Blocks in sections that cannot be told apart have no signature. */
function signatures(
  { scan }: NoteBlocks,
  { text }: PlacedNote,
  blocks: readonly PlacedBlock[],
): readonly SignedBlock[] {
  const outline = outlineOf(scan);
  const pathOf = (section: OutlineSection | null) =>
    JSON.stringify(sectionPath(section).map(headingTitle));
  const counts = new Map<string, number>();
  for (const path of outline.map(pathOf)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return blocks.map(({ block, key, from, to }) => {
    const section = pathOf(sectionAt(outline, block.line));
    if ((counts.get(section) ?? 1) > 1) return { block, signatures: [] };
    const above = lineBefore(text, from);
    const below = lineAfter(text, to);
    const sign = (...parts: readonly string[]) => JSON.stringify([key, section, ...parts]);
    return { block, signatures: [sign(above, below), sign(above), sign('', below), sign()] };
  });
}

/** The nearest line above that is not blank. */
function lineBefore(text: string, from: number): string {
  const [, line = ''] =
    /([^\r\n]*\S[^\r\n]*)[\s>]*$/.exec(text.slice(Math.max(0, from - near), from)) ?? [];
  return line.trim();
}

function lineAfter(text: string, to: number): string {
  const [, line = ''] = /^[\s>]*([^\r\n]*)/.exec(text.slice(to, to + near)) ?? [];
  return line.trim();
}

/** So much of the text around a block is looked at. */
const near = 500;

/** Pairs blocks of equal signature, in order, while there are as many as before. */
function byNeighbours(
  before: readonly SignedBlock[],
  now: readonly SignedBlock[],
  known: ReadonlyMap<ToolBlock, ToolBlock>,
): ReadonlyMap<ToolBlock, ToolBlock> {
  const aligned = new Map(known);
  const taken = new Set(known.values());
  for (let level = 0; level < 4; level++) {
    const isSigned = ({ signatures: { length } }: SignedBlock) => length > 0;
    const signature = ({ signatures: all }: SignedBlock) => all[level] ?? '';
    const left = before.filter((each) => isSigned(each) && !aligned.has(each.block));
    const free = Map.groupBy(
      now.filter((each) => isSigned(each) && !taken.has(each.block)),
      signature,
    );
    for (const [key, group] of Map.groupBy(left, signature)) {
      const equals = free.get(key) ?? [];
      if (equals.length !== group.length) continue;
      for (const [index, { block }] of group.entries()) {
        const { block: found = block } = equals[index] ?? {};
        aligned.set(block, found);
        taken.add(found);
      }
    }
  }
  return aligned;
}

/** Drops pairs that would let equal blocks change places: one of the two was moved, and which is unknown. */
function inOrder(
  blocks: readonly ToolBlock[],
  aligned: ReadonlyMap<ToolBlock, ToolBlock>,
): ReadonlyMap<ToolBlock, ToolBlock> {
  const kept = new Map<ToolBlock, ToolBlock>();
  for (const group of Map.groupBy(
    blocks.filter((block) => aligned.has(block)),
    keyOf,
  ).values()) {
    const lines = group.map((block) => aligned.get(block)?.line ?? 0);
    const highest = runningMaximum(lines);
    const lowest = runningMaximum(lines.map((line) => -line).reverse()).reverse();
    for (const [index, block] of group.entries()) {
      const line = lines[index] ?? 0;
      const found = aligned.get(block);
      const isBetween =
        (highest[index - 1] ?? 0) < line && -(lowest[index + 1] ?? -Infinity) > line;
      if (found !== undefined && isBetween) kept.set(block, found);
    }
  }
  return kept;
}

function runningMaximum(values: readonly number[]): number[] {
  let most = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    most = Math.max(most, value);
    return most;
  });
}
