import type { ToolBlock } from '@errand/document';
import { type BlockChoice, chooseBlocks } from '@errand/host';

/** A block of a note under its key. */
export interface KeyedBlock {
  readonly key: string;
  readonly block: ToolBlock;
}

/**
 * Gives each block a key made from its request alone, so that the key stays while results are written and
 * text around the block changes. Equal requests are numbered in the order of the note.
 */
export function keyBlocks(blocks: readonly ToolBlock[]): readonly KeyedBlock[] {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const request = block.req ?? block.source;
    const count = (seen.get(request) ?? 0) + 1;
    seen.set(request, count);
    return { key: count === 1 ? request : `${request}-${count}`, block };
  });
}

/** Picks the blocks that were asked for, by key or as `chooseBlocks` does; `unmet` lists the requests without a match. */
export function chooseKeyed(
  all: readonly KeyedBlock[],
  { keys, ...choice }: BlockChoice & { readonly keys?: readonly string[] },
): { readonly chosen: readonly KeyedBlock[]; readonly unmet: readonly string[] } {
  const lines = new Map(all.map(({ key, block }) => [key, String(block.line)]));
  const named = keys?.flatMap((key) => lines.get(key) ?? []);
  const blocks = all.map(({ block }) => block);
  const { chosen, unmet } = chooseBlocks(blocks, { ...choice, ...(named && { blocks: named }) });
  const wanted = new Set(chosen);
  return {
    chosen: all.filter(({ block }) => wanted.has(block)),
    unmet: [...unmet, ...(keys?.filter((key) => !lines.has(key)) ?? [])],
  };
}
