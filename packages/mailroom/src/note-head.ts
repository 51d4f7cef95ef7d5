import type { FrontmatterValues } from '@errand/document/frontmatter';
import type { MailFolder } from './mail-board.ts';

/** A note of the mailroom without its text. */
export interface NoteHead {
  /** Path in the vault. */
  readonly path: string;
  readonly folder: MailFolder;
  readonly values: FrontmatterValues;
  /** Why its frontmatter cannot be read. */
  readonly problem?: string;
  /** The file behind the path: two paths of one file are a move that was cut off. */
  readonly inode: string;
  /** Whether the file has another path besides, where that is known. */
  readonly hasOtherNames?: boolean;
  readonly changedAt: number;
}

/** A note of the mailroom. */
export interface MailNote extends NoteHead {
  readonly body: string;
  /** The lines of the frontmatter, when they cannot be read. */
  readonly frontmatter?: string;
  /** Names this version, as the vault server does. */
  readonly etag: string;
}

/** A value of the frontmatter as text; a number a person typed without quotes counts, too. */
export function textOf(
  { values }: Pick<NoteHead, 'values'>,
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys) {
    const value = values[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string') && value.length > 0)
      return value.join(', ');
  }
  return undefined;
}

/** A time of the frontmatter, in milliseconds since 1970. */
export function timeOf(note: Pick<NoteHead, 'values'>, key: string): number | undefined {
  const time = Date.parse(textOf(note, key) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** A whole number of the frontmatter; 0 when there is none. */
export function countOf(note: Pick<NoteHead, 'values'>, key: string): number {
  const count = Number(textOf(note, key) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** What a note is: by its type, else by the folder that it is in. Nothing when it has nothing to do with mail. */
export function kindOf(
  note: Pick<NoteHead, 'values' | 'folder' | 'problem'>,
): 'mail' | 'draft' | undefined {
  const type = textOf(note, 'type');
  if (type === 'email') return 'mail';
  if (type === 'draft_reply' || type === 'draft') return 'draft';
  // A mail stays one wherever it lies: it is nothing that a person wrote to be sent.
  if (textOf(note, 'message_id') !== undefined && textOf(note, 'from') !== undefined) return 'mail';
  if (note.folder === 'Drafts' || note.folder === 'Approved') return 'draft';
  // One that a person wrote says nothing else of what it is, also once it was sent.
  if (textOf(note, 'draft_id') !== undefined && textOf(note, 'message_id') === undefined)
    return 'draft';
  if (textOf(note, 'message_id') !== undefined || note.problem !== undefined) return 'mail';
  return undefined;
}

/** The Gmail id of the mail that a draft answers. */
export function answeredId(note: Pick<NoteHead, 'values'>): string | undefined {
  return textOf(note, 'reply_to_message_id', 'original_message_id', 'source_message_id');
}
