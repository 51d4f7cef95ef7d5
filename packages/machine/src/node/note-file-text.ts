import { FilesError, systemReason } from '@errand/files';
import { HostError } from '@errand/host';

/** The error to throw for an error of the file system about a note. */
export function unreadableNote(path: string, cause: unknown): unknown {
  if (isMissing(cause))
    return new HostError('note_unreadable', `There is no note ${path}.`, {}, { cause });
  if (cause instanceof FilesError) {
    const why = cause.code === 'outside' ? cause.message : `${reasons[cause.code]}.`;
    return new HostError('note_unreadable', `${path} cannot be read: ${why}`, {}, { cause });
  }
  if (!(cause instanceof Error && 'code' in cause) || cause.name === 'AbortError') return cause;
  const why = reasons[String(cause.code)] ?? systemReason(cause);
  return new HostError('note_unreadable', `${path} cannot be read: ${why}.`, {}, { cause });
}

function isMissing(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'missing' || code === 'ENOENT';
}

const reasons: Readonly<Record<string, string>> = {
  not_a_file: 'it is a folder or a special file',
  not_a_folder: 'a part of its path is not a folder',
  held_open: 'another program has it open for writing',
  replaced: 'another program replaced it meanwhile; try again',
  EACCES: 'you have no permission to read it',
  ELOOP: 'another program put a link in its place; try again',
};

/** The text of a note's bytes; throws when they are not UTF-8. */
export function decodeNote(path: string, bytes: Buffer): string {
  try {
    // A byte order mark is part of the text: it must still be there after an edit.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `${path} is not UTF-8 text. Save it as UTF-8 in your editor, then try again.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}
