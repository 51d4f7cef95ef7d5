import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';

/** Removes the result of a block, which restores the note as it was before. */
export function removeResult({ anchor, result }: ToolBlock): readonly TextEdit[] {
  return result === null ? [] : [{ range: [anchor, result.to], text: '' }];
}
