import type { NoteScan } from '../scan/note-scan.ts';
import type { ToolBlock } from './tool-block.ts';

/** A note at one time, with its blocks. */
export interface NoteBlocks {
  readonly scan: NoteScan;
  readonly blocks: readonly ToolBlock[];
}

/** The block in the changed note, or why it cannot be identified with certainty. */
type Relocation =
  | { readonly kind: 'found'; readonly block: ToolBlock }
  | { readonly kind: 'lost'; readonly message: string };

/**
 * Finds a block again after its note was changed: the same request to the same server, distinguished from equal
 * ones by its block id, by the text before or after it, or by its order if their number is unchanged.
 */
export function relocateBlock(block: ToolBlock, before: NoteBlocks, now: NoteBlocks): Relocation {
  const isSame = (other: ToolBlock) =>
    other.source === block.source && other.server === block.server && other.id === block.id;
  const twins = before.blocks.filter(isSame);
  const candidates = now.blocks.filter(isSame);
  const [only] = candidates;
  if (only === undefined) return lost(block, 'was changed or removed');
  // As many as before, in the same order. Whole texts are compared only when one was added or removed.
  const ordered = candidates[twins.indexOf(block)];
  if (candidates.length === twins.length && ordered !== undefined) {
    return { kind: 'found', block: ordered };
  }
  const inPlace = candidates.filter((candidate) => isInPlace(block, before, candidate, now));
  const [placed] = inPlace;
  if (placed !== undefined && inPlace.length === 1) return { kind: 'found', block: placed };
  return lost(block, 'stands there more than once now, or once less');
}

/** Whether all text before the block, or all text after it, is unchanged. */
function isInPlace(
  block: ToolBlock,
  before: NoteBlocks,
  other: ToolBlock,
  now: NoteBlocks,
): boolean {
  const a = before.scan.text;
  const b = now.scan.text;
  if (block.fence.from === other.fence.from) {
    if (a.slice(0, block.fence.from) === b.slice(0, other.fence.from)) return true;
  }
  if (a.length - block.fence.to !== b.length - other.fence.to) return false;
  return a.slice(block.fence.to) === b.slice(other.fence.to);
}

function lost({ line }: ToolBlock, what: string): Relocation {
  const message = `The note was changed meanwhile and the block that was on line ${line} ${what}. Run it again.`;
  return { kind: 'lost', message };
}
