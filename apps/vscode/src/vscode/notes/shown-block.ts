import type { BlockOutcome } from '@errand/host';
import type { KeyedBlock } from '@errand/workspace/runs';
import type { NoteOfVault } from '../vaults.ts';

/** Which answer a lens was drawn for. */
export interface ShownBlock {
  readonly sum: string | null;
  readonly end: BlockOutcome | undefined;
}

export function shownBlock({ session, path }: NoteOfVault, { key, block }: KeyedBlock): ShownBlock {
  return { sum: block.result?.sum ?? null, end: session.runs.lastOutcome(path, key) };
}

/** Whether a block has got another answer since: the editor draws lenses half a second late, and a double click must not call a tool twice. */
export function isBehind(
  note: NoteOfVault,
  text: string,
  key: string,
  { sum, end }: ShownBlock,
): boolean {
  const found = note.session.blocks.of(note.path, text).find((each) => each.key === key);
  if (found === undefined) return false;
  const now = shownBlock(note, found);
  return now.sum !== sum || now.end !== end;
}
