import type { ApiFailure, Failure } from '../../contract.ts';

/** Why a request was refused beyond what the host says: these are the workbench's own codes. */
export type ApiErrorCode =
  /** What the request is based on is another by now. */
  | 'conflict'
  /** The request, or a field of it, is wrong. */
  | 'invalid_input'
  /** There is no such thing. */
  | 'not_found'
  /** Who asks may not. */
  | 'forbidden'
  /** The vault's folder is not there. */
  | 'vault_missing';

/** A refused request, with what its answer says beside the sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly fields: Failure['fields'];
  readonly current: ApiFailure['current'];

  constructor(
    code: ApiErrorCode,
    message: string,
    { fields, current }: Pick<Failure, 'fields'> & Pick<ApiFailure, 'current'> = {},
  ) {
    super(message);
    this.code = code;
    this.fields = fields;
    this.current = current;
  }
}
