export type IssuerErrorCode =
  /** It does not answer, or answers with a failure of its own. */
  | 'unreachable'
  /** None of the well-known addresses has metadata. */
  | 'no_metadata'
  /** The metadata is of another issuer. */
  | 'other_issuer'
  /** It names an address for its keys that others could read or change on the way. */
  | 'unsafe_address'
  /** What it has as keys is none that tokens can be checked with. */
  | 'no_keys';

/** Why the keys of an authorization server could not be read. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerErrorCode;

  constructor(code: IssuerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
