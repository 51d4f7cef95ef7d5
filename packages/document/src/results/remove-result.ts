import type { ToolBlock } from '../blocks/tool-block.ts';
import type { TextEdit } from '../edits.ts';

/** Takes the result of a block out of the note, so that it is as if it had never been written. */
export function removeResult({ anchor, result }: ToolBlock): readonly TextEdit[] {
  return result === null ? [] : [{ range: [anchor, result.to], text: '' }];
}
