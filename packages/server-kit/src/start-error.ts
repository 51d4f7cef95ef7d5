/** Why a server did not start, each with what it means. */
const startErrorCodes = {
  usage: 'The command line cannot be understood.',
  invalid_setting: 'An environment variable holds a value that cannot be used.',
  invalid_definition: 'The definition of the server contradicts itself.',
  token_required: 'Listening beyond this machine needs a token.',
  address_unavailable: 'The address or port cannot be listened on.',
} as const;

/** A server that cannot start as it was asked to; the message says what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: keyof typeof startErrorCodes;

  constructor(code: keyof typeof startErrorCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
