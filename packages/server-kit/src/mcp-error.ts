/** Every code a tool of ours may fail with, each with what it means. */
const mcpErrorCodes = {
  auth_required: 'Credentials are missing or have expired.',
  not_found: 'What the call names does not exist.',
  rate_limited: 'A quota is used up; try again later.',
  permission_denied: 'The call reaches for something it may not touch.',
  parse_error: 'Stored content could not be read as what it claims to be.',
  send_failed: 'A message was refused by the service that should send it.',
  mcp_unavailable: 'The server or what stands behind it does not answer.',
  internal_error: 'An unexpected failure; its id is in the server log.',
  conflict: 'The state has changed since it was read, or the destination is taken.',
  invalid_input: 'The arguments do not fit the tool.',
} as const;

export type McpErrorCode = keyof typeof mcpErrorCodes;

/** A failure a tool reports on purpose; the caller gets its code, message and details. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: McpErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: McpErrorCode,
    message: string,
    details?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
