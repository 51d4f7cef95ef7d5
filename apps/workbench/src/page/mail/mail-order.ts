import type { MailBoard, MailFolder, MailItem } from '../../contract.ts';

/** The folders in the order in which the board shows them. */
export const folders: readonly MailFolder[] = ['Needs_Action', 'Drafts', 'Approved', 'Done'];

/** What people call the folders. */
export const folderNames: Readonly<Record<MailFolder, string>> = {
  Needs_Action: 'Needs action',
  Drafts: 'Drafts',
  Approved: 'Approved',
  Done: 'Done',
};

/** The folders in the order of a morning's work: what waits for a person first. */
const readingOrder: readonly MailFolder[] = ['Drafts', 'Needs_Action', 'Approved', 'Done'];

/** A folder and what is read of it one after the other. */
export interface MailGroup {
  readonly folder: MailFolder;
  readonly items: readonly MailItem[];
}

/** The notes in reading order. A mail whose draft is listed is read beside it, and not listed again. */
export function mailGroups(board: MailBoard): readonly MailGroup[] {
  const drafted = new Set(
    [...board.folders.Drafts, ...board.folders.Approved].map(({ relatedId }) => relatedId),
  );
  return readingOrder.map((folder) => ({
    folder,
    items: board.folders[folder].filter(
      ({ id, kind, state }) => kind !== 'mail' || state !== 'answered' || !drafted.has(id),
    ),
  }));
}

/** The item `step` places after another, or the nearest there is. */
export function neighbour(
  groups: readonly MailGroup[],
  id: string | undefined,
  step: 1 | -1,
): MailItem | undefined {
  const items = groups.flatMap((group) => group.items);
  const at = items.findIndex((item) => item.id === id);
  if (at === -1) return step === 1 ? items[0] : items.at(-1);
  return items[Math.min(Math.max(at + step, 0), items.length - 1)];
}

/** What to read after an item was dealt with: the next one that waits, else the one before it. */
export function nextAfter(groups: readonly MailGroup[], id: string): MailItem | undefined {
  const open = groups.filter(({ folder }) => folder !== 'Done').flatMap(({ items }) => items);
  const at = open.findIndex((item) => item.id === id);
  return open[at + 1] ?? open[at - 1];
}

/** What dropping a note on a folder does; undefined when it does nothing. */
export type MailMove = 'approve' | 'reject' | 'withdraw';

/** What a note may be dropped on, as its buttons offer it too. */
export function moveTo(
  { kind, folder, state }: MailItem,
  target: MailFolder,
): MailMove | undefined {
  if (folder === target || state === 'unreadable' || state === 'misplaced') return undefined;
  if (folder === 'Done') return undefined;
  if (target === 'Done') return state === 'unclear' ? undefined : 'reject';
  if (kind !== 'draft' || state === 'unclear') return undefined;
  if (target === 'Approved') return 'approve';
  return target === 'Drafts' && folder === 'Approved' ? 'withdraw' : undefined;
}
