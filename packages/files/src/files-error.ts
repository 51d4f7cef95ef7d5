/** Every code that opening a file below a root fails with. */
type FilesErrorCode =
  /** There is nothing of that name. */
  | 'missing'
  /** A part of the path is no folder. */
  | 'not_a_folder'
  /** It is larger than the reader takes. */
  | 'too_large'
  /** It is a folder, a pipe, a socket or a device. */
  | 'not_a_file'
  /** A link leads out of the root, to nothing, or to where links may not lead. */
  | 'outside'
  /** Another program put something else in its place meanwhile. */
  | 'replaced'
  /** Another program holds its lock and does not let go. */
  | 'locked'
  /** Another program has it open for writing and does not close it. */
  | 'held_open';

/** Why a file below a root was not opened. Branch on `code`. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly code: FilesErrorCode;
  /** The path from the root, with forward slashes. */
  readonly path: string;

  constructor(
    code: FilesErrorCode,
    segments: readonly string[],
    sentence: (path: string) => string,
    options?: ErrorOptions,
  ) {
    const path = segments.join('/');
    super(sentence(path), options);
    this.code = code;
    this.path = path;
  }
}

/** What the system said, without the path: it may be one that only this process can read. */
export function systemReason(error: Error): string {
  return error.message.replace(/, \w+(?: '.*')?$/s, '');
}
