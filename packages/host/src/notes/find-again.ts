import type { ToolBlock } from '@errand/document';

/** The block in a text that may have changed since, or nothing when it cannot be told for certain. */
export function findAgain(
  block: ToolBlock,
  before: readonly ToolBlock[],
  now: readonly ToolBlock[],
): ToolBlock | undefined {
  const isSame = (other: ToolBlock) =>
    other.source === block.source && other.id === block.id && other.server === block.server;
  const twins = before.filter(isSame);
  const candidates = now.filter(isSame);
  // Equal requests are told apart by their order, which says nothing once one was added or removed.
  return twins.length === candidates.length ? candidates[twins.indexOf(block)] : undefined;
}
