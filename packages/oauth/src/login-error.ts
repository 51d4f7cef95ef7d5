/** Every way in which a login fails, each with what it means. */
const codes = {
  auth_required: 'Nobody is logged in.',
  refused: 'The person or the authorization server refused the login.',
  wrong_address: 'That is not the address of this login; paste the whole address from the browser.',
  unavailable: 'The authorization server does not answer as it should.',
  timed_out: 'Nobody came back from the login page in time.',
  cancelled: 'The login was cancelled.',
  token_file: 'The file of tokens cannot be used.',
  client_file: 'The file of the client cannot be used.',
} as const;

export type LoginErrorCode = keyof typeof codes;

/** A login that failed, or tokens that cannot be had. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  readonly code: LoginErrorCode;

  constructor(code: LoginErrorCode, message: string = codes[code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
