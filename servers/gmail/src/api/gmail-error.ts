import {
  McpError,
  type McpErrorCode,
  ServiceError,
  type ServiceErrorKind,
} from '@errand/server-kit';

/** The command that mends a missing login. */
export const howToLogIn = 'Log in with: errand mail login';

const slowDown: ReadonlySet<string> = new Set(['rateLimitExceeded', 'userRateLimitExceeded']);

/** Gmail asks to slow down by 429, and by some of its 403s. */
export function classifyRefusal(status: number, detail: unknown): ServiceErrorKind | undefined {
  return status === 403 && reasonsOf(detail).some((reason) => slowDown.has(reason))
    ? 'rate_limited'
    : undefined;
}

/** What a failed request means to the caller of a tool; other errors stay as they are. */
export function toMcpError(error: unknown, what: string): unknown {
  if (!(error instanceof ServiceError) || error.kind === 'cancelled') return error;
  const { code, sentence } = meaningOf(error, what);
  const details = {
    reason: error.kind,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retry_after: Math.ceil(error.retryAfterMs / 1000) }),
  };
  const waiting = code === 'rate_limited' && details.retry_after === undefined;
  return new McpError(code, sentence, waiting ? { ...details, retry_after: 60 } : details, {
    cause: error,
  });
}

interface Meaning {
  readonly code: McpErrorCode;
  readonly sentence: string;
}

function meaningOf(error: ServiceError, what: string): Meaning {
  const { kind, detail, status } = error;
  const said = saidBy(detail);
  const reasons = reasonsOf(detail);
  if (kind === 'forbidden' && reasons.includes('dailyLimitExceeded')) {
    return { code: 'rate_limited', sentence: `Gmail's quota for today is used up.${said}` };
  }
  switch (kind) {
    case 'unauthorized':
      return { code: 'auth_required', sentence: `Gmail does not accept the login. ${howToLogIn}` };
    case 'forbidden':
      return {
        code: 'permission_denied',
        sentence: `Gmail does not allow this.${said} If rights are missing, log in again and grant them: errand mail login`,
      };
    case 'not_found':
      return { code: 'not_found', sentence: `There is no ${what}.` };
    case 'conflict':
      return { code: 'conflict', sentence: `Gmail reports a conflict.${said} Try again.` };
    case 'rate_limited':
      return { code: 'rate_limited', sentence: 'Gmail asks to slow down. Try again later.' };
    case 'invalid':
      return {
        code: 'invalid_input',
        sentence: `Gmail does not accept ${what} (HTTP ${status}).${said}`,
      };
    case 'too_large':
      return {
        code: 'parse_error',
        sentence: `The answer of Gmail for ${what} is too large to read.`,
      };
    case 'not_json':
      return {
        code: 'mcp_unavailable',
        sentence: `What answers is not Gmail, but often the login page of a proxy. ${afterLostAnswer(error)}`,
      };
    case 'breaker_open':
      return {
        code: 'mcp_unavailable',
        sentence: 'Gmail failed repeatedly and is left alone for a while.',
      };
    default:
      return {
        code: 'mcp_unavailable',
        sentence: `Gmail does not answer as it should (${kind}). ${afterLostAnswer(error)}`,
      };
  }
}

/** What was asked for may have happened although nobody heard of it. */
function afterLostAnswer({ method, sent }: ServiceError): string {
  return method === 'GET' || sent === 'no'
    ? 'Try again.'
    : 'It may have done what was asked all the same: look before you try again.';
}

interface GoogleError {
  readonly message?: unknown;
  readonly errors?: readonly { readonly reason?: unknown }[];
}

function errorOf(detail: unknown): GoogleError {
  const { error } = (typeof detail === 'object' && detail !== null ? detail : {}) as {
    error?: unknown;
  };
  return typeof error === 'object' && error !== null ? error : {};
}

function reasonsOf(detail: unknown): readonly string[] {
  const { errors } = errorOf(detail);
  return Array.isArray(errors) ? errors.map((each) => String(each?.reason)) : [];
}

function saidBy(detail: unknown): string {
  const { message } = errorOf(detail);
  return typeof message === 'string' ? ` Gmail says: ${message.slice(0, 300)}` : '';
}
