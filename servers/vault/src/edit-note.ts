import { changeNote } from './files/change-note.ts';
import { notePath } from './files/note-path.ts';
import type { NoteFile } from './files/read-note-file.ts';
import { decodeNote, etagOf } from './note/note-content.ts';
import type { VaultContext } from './vault-context.ts';
import { VaultError } from './vault-error.ts';

export interface EditOptions {
  /** The etag the note must have; anything else is a conflict. */
  readonly ifMatch?: string | undefined;
  /** Whether a note that is not there is made; otherwise it is an error. `only`: one that is there is the error. */
  readonly create?: boolean | 'only';
  readonly signal?: AbortSignal;
}

export interface EditedNote {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
  readonly created: boolean;
}

/** Changes the text of a note; a note that is not there has the empty text. */
export async function editNote(
  { vault, lock, turns, index }: VaultContext,
  path: string,
  edit: (text: string, path: string) => string,
  { ifMatch, create = false, signal }: EditOptions,
): Promise<EditedNote> {
  const segments = notePath(path);
  const change = (current: NoteFile | undefined) => {
    const name = (current?.segments ?? segments).join('/');
    if (current === undefined && !create) throw missing(name);
    if (current !== undefined && create === 'only') throw taken(name);
    refuseStale(name, current, ifMatch);
    const text = current === undefined ? '' : decodeNote(name, current.bytes);
    return encode(edit(text, name));
  };
  const changed = await turns.take(path.normalize('NFC'), () =>
    changeNote(vault, lock, segments, change, signal),
  );
  const name = changed.segments.join('/');
  index.changed(name);
  return {
    path: name,
    text: decodeNote(name, changed.bytes),
    etag: etagOf(changed.bytes),
    created: changed.created,
  };
}

function refuseStale(
  path: string,
  current: NoteFile | undefined,
  ifMatch: string | undefined,
): void {
  if (ifMatch === undefined) return;
  const etag = current === undefined ? null : etagOf(current.bytes);
  if (etag === ifMatch) return;
  throw new VaultError(
    'conflict',
    etag === null
      ? `${path} does not exist any more. Nothing was written.`
      : `${path} has changed since it was read. Nothing was written; read it again.`,
    { path, etag },
  );
}

function encode(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  throw new VaultError(
    'invalid_input',
    'The text is not valid Unicode: it contains half a character. Send it again, whole.',
  );
}

function missing(path: string): VaultError {
  return new VaultError(
    'not_found',
    `There is no note ${path}. list_notes shows what there is; write_note makes a new one.`,
    { path },
  );
}

function taken(path: string): VaultError {
  return new VaultError(
    'conflict',
    `There is a note ${path} already. Nothing was written; use another path.`,
    { path },
  );
}
