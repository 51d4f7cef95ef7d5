import type { MailBoard, MailFolder, MailItem } from './mail-board.ts';
import { kindOf, type NoteHead } from './note-head.ts';
import { itemOf } from './note-item.ts';

const waiting: ReadonlySet<MailItem['state']> = new Set([
  'needs-info',
  'delegated',
  'waiting',
  'expired',
  'changed',
]);
const leaving: ReadonlySet<MailItem['state']> = new Set(['approved', 'retrying']);
const wrong: ReadonlySet<MailItem['state']> = new Set([
  'failed',
  'stuck',
  'unclear',
  'unreadable',
  'misplaced',
]);

/** The notes of Done that were finished last. There may be very many, of which little is known without reading them. */
export function latestDone(notes: readonly NoteHead[], most: number): readonly NoteHead[] {
  return finishedIn(notes)
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .slice(0, most);
}

function finishedIn(notes: readonly NoteHead[]): readonly NoteHead[] {
  return notes.filter((note) => note.folder === 'Done' && kindOf(note) !== undefined);
}

/** The board from the notes as they lie, and from those of Done that are shown. */
export function boardOf(
  notes: readonly NoteHead[],
  done: readonly NoteHead[],
  about: Omit<MailBoard, 'counts' | 'folders' | 'doneCount'>,
): MailBoard {
  const itemsOf = (some: readonly NoteHead[]) => some.flatMap((note) => itemOf(note) ?? []);
  const open = itemsOf(notes.filter(({ folder }) => folder !== 'Done'));
  const count = (states: ReadonlySet<MailItem['state']>) =>
    open.filter(({ state }) => states.has(state)).length;
  const inFolder = (folder: MailFolder) =>
    open.filter((item) => item.folder === folder).toSorted(newestFirst);
  return {
    ...about,
    counts: { waiting: count(waiting), leaving: count(leaving), wrong: count(wrong) },
    folders: {
      Needs_Action: inFolder('Needs_Action'),
      Drafts: inFolder('Drafts'),
      Approved: inFolder('Approved'),
      Done: itemsOf(done).toSorted(newestFirst),
    },
    doneCount: finishedIn(notes).length,
  };
}

function newestFirst(one: MailItem, other: MailItem): number {
  if (one.isUrgent !== other.isUrgent) return one.isUrgent ? -1 : 1;
  return (other.date ?? other.path).localeCompare(one.date ?? one.path);
}
