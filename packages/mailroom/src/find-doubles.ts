import type { MailFolder } from './mail-board.ts';
import { type NoteHead, textOf } from './note-head.ts';

/** Two paths of one file, which a move that was cut off leaves. */
interface DoublePath {
  readonly extra: string;
  readonly kept: string;
}

/** Which of two paths is kept: the one from which nothing is sent and nothing is forgotten. */
const safest: readonly MailFolder[] = ['Drafts', 'Needs_Action', 'Done', 'Approved'];

/** Finds the files that have several paths, and which of them each should keep. */
export function findDoubles(heads: readonly NoteHead[]): readonly DoublePath[] {
  const byFile = new Map<string, NoteHead[]>();
  for (const { inode, hasOtherNames } of heads) if (hasOtherNames) byFile.set(inode, []);
  if (byFile.size > 0) for (const head of heads) byFile.get(head.inode)?.push(head);
  return [...byFile.values()].flatMap((names) => {
    if (names.length < 2) return [];
    const [kept, ...others] = names.toSorted((one, other) => rankOf(one) - rankOf(other));
    return others.map(({ path }) => ({ extra: path, kept: kept?.path ?? '' }));
  });
}

function rankOf({ folder, values }: NoteHead): number {
  // What has left is finished, wherever its other path is.
  if (folder === 'Done' && textOf({ values }, 'sent_message_id') !== undefined) return -1;
  return safest.indexOf(folder);
}
