import type { KeyedBlock } from '@errand/workspace/runs';

/** The request that a line of the note, counted from 1, belongs to: its own, its id's, or its result's. */
export function blockAtLine(blocks: readonly KeyedBlock[], line: number): KeyedBlock | undefined {
  return blocks.find(({ block: { line: first, endLine, result } }) => {
    return first <= line && line <= Math.max(endLine, result?.endLine ?? 0);
  });
}

/** The request that a call was made for: answers above may have moved it since. */
export function blockOfCall(
  blocks: readonly KeyedBlock[],
  call: { readonly line: number; readonly server: string; readonly tool: string },
): KeyedBlock | undefined {
  const far = ({ block }: KeyedBlock) => Math.abs(block.line - call.line);
  return blocks
    .filter(({ block: { server, tool } }) => server === call.server && tool === call.tool)
    .sort((one, other) => far(one) - far(other))[0];
}
