import type { KeyedBlock } from './key-blocks.ts';

/** The request that a line of the note, counted from 1, belongs to: its own, its id's, or its result's. */
export function blockAtLine(blocks: readonly KeyedBlock[], line: number): KeyedBlock | undefined {
  return blocks.find(({ block: { line: first, endLine, result } }) => {
    return first <= line && line <= Math.max(endLine, result?.endLine ?? 0);
  });
}
