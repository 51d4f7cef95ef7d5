import { VaultError } from '../vault-error.ts';

/** What a refusal of the operating system means for a note; undefined for any other error. */
export function fromSystem(error: unknown): VaultError | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const known = meanings[code];
  const [kind, sentence] = known ?? ['internal_error', `The disk refused (${code} on ${syscall}).`];
  return new VaultError(kind, sentence, { system_code: code }, { cause: error });
}

const changed = 'The path was replaced by something else while it was being opened. Try again.';
const denied = 'The system does not allow this. Check the permissions of the file and its folder.';
const full = 'The disk is full. Nothing was changed; make room and try again.';

const meanings: Readonly<Record<string, readonly [VaultError['code'], string]>> = {
  ENOENT: ['not_found', 'The note or folder disappeared while it was being opened.'],
  ELOOP: ['permission_denied', changed],
  ENOTDIR: ['permission_denied', changed],
  EACCES: ['permission_denied', denied],
  EPERM: ['permission_denied', denied],
  EROFS: ['permission_denied', 'The vault is read-only. Mount it writable to change notes.'],
  ENAMETOOLONG: ['invalid_input', 'The path is too long for this disk. Choose shorter names.'],
  EISDIR: ['invalid_input', 'There is a folder of that name. Choose another name.'],
  ENOSPC: ['internal_error', full],
  EDQUOT: ['internal_error', full],
};
