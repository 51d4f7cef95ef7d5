/** Lets requests to a remote server pass: gives them a token, and gets a better one when refused. */
export interface Authorizer {
  /** The token to send, if there is one. */
  token(): Promise<string | undefined>;
  /** Gets a token that may do what was refused; rejects with `login_required` when a person is needed. */
  renew(refused: RefusedRequest, signal: AbortSignal): Promise<void>;
}

export interface RefusedRequest {
  readonly status: 401 | 403;
  /** What the server said in `WWW-Authenticate`. */
  readonly challenge: string;
  /** The token that was refused. */
  readonly token: string | undefined;
}
