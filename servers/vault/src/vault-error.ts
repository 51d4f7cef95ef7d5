/** Every code the vault fails with. The first four are S4's, the last two are D20's. */
export type VaultErrorCode =
  /** There is no such note or folder. */
  | 'not_found'
  /** The path leads outside the vault, to something hidden, or to what may not be written. */
  | 'permission_denied'
  /** The note is there but its frontmatter or its encoding is broken. */
  | 'parse_error'
  /** The disk failed. */
  | 'internal_error'
  /** The note has changed since it was read, or the destination is taken. */
  | 'conflict'
  /** The arguments of the call are invalid. */
  | 'invalid_input';

/** Every failure the vault reports on purpose. Branch on `code`; show `message` to people. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: VaultErrorCode,
    message: string,
    details?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
