/** Every code that owning a vault, or attaching to its owner, fails with. */
export type OwnerErrorCode =
  /** A folder of the lease is a link, another user's, or open to other users. */
  | 'not_private'
  /** The folder of the lease cannot be read or written. */
  | 'unusable'
  /** No folder of this machine takes a socket. */
  | 'no_socket'
  /** The owner's socket is there but cannot be opened. */
  | 'unreachable';

/** Why a vault's lease was not taken, or its owner not reached. Branch on `code`. */
export class OwnerError extends Error {
  override readonly name = 'OwnerError';
  readonly code: OwnerErrorCode;
  /** The folder or socket that is at fault. */
  readonly path: string;

  constructor(code: OwnerErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}
