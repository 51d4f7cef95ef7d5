import { draftFor } from './mail-details.ts';
import type { MailNotes } from './mail-notes.ts';
import { MailroomError } from './mailroom-error.ts';
import { kindOf, type MailNote } from './note-head.ts';
import { itemOf } from './note-item.ts';

/** The note with an id, a path, or the beginning of an id; throws when there is none, or several. */
export async function findNote(wanted: string, notes: MailNotes): Promise<MailNote> {
  await notes.refresh();
  const exact = await notes.locate(wanted);
  if (exact !== undefined) return exact;
  const items = notes.heads.flatMap((head) => itemOf(head) ?? []);
  const alike = wanted.length < 3 ? [] : items.filter((item) => item.id.startsWith(wanted));
  const [only] = alike;
  if (alike.length > 1)
    throw new MailroomError(
      'ambiguous',
      `The ids of several notes begin with "${wanted}": ${alike.map(({ id }) => id).join(', ')}. Write more of it.`,
    );
  const note = only && (await notes.locate(only.id));
  if (note === undefined)
    throw new MailroomError(
      'not_found',
      `No mail and no draft is called "${wanted}". Write its id, at least three letters of its beginning, or the path of its note.`,
    );
  return note;
}

/** A draft that can be read; asked for a mail, the one that answers it. */
export async function findDraft(wanted: string, notes: MailNotes): Promise<MailNote> {
  const note = await findNote(wanted, notes);
  const draft = kindOf(note) === 'mail' ? await draftFor(note, notes) : note;
  if (draft === undefined) throw new MailroomError('wrong_state', 'This mail has no draft.');
  if (draft.problem !== undefined)
    throw new MailroomError(
      'unreadable',
      `The frontmatter of ${draft.path} cannot be read: ${draft.problem}.`,
    );
  return draft;
}
