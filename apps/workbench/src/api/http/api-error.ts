import type { ApiFailure, Failure } from '../../contract.ts';

/** The workbench's own error codes, beside those of the host. */
export type ApiErrorCode =
  /** What the request is based on has changed. */
  | 'conflict'
  /** The request, or a field of it, is wrong. */
  | 'invalid_input'
  /** There is no such thing. */
  | 'not_found'
  /** The client is not allowed to. */
  | 'forbidden'
  /** The vault's folder is not there. */
  | 'vault_missing';

/** A refused request: the code, message and details of its answer. */
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
