import { type Advice, adviceForCode, HostError, type HostErrorFacts } from '@errand/host';
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { complaintIn } from './http/bad-answer.ts';
import { reasonOfRefusal } from './refusal.ts';

/** What a request that failed belongs to. */
interface FailedRequest {
  readonly server: string;
  readonly tool?: string;
  readonly signal: AbortSignal;
}

/** Converts what a request rejected with into a `HostError`. */
export function toHostError(error: unknown, request: FailedRequest): HostError {
  const { server, tool, signal } = request;
  const facts = { server, ...(tool === undefined ? {} : { tool }) };
  if (error instanceof HostError) return error;
  // The SDK rejects an aborted request as timed out, whatever the reason was.
  if (signal.aborted) return abortReason(signal, server);
  const refused = reasonOfRefusal(error);
  if (refused !== undefined) return refused;
  if (error instanceof ProtocolError) {
    return new HostError(
      codeOf(error, tool),
      `Server "${server}" refused the request: ${shortened(error.message)}`,
      facts,
      { cause: error },
    );
  }
  if (error instanceof RangeError) return tooDeep(error, facts);
  const known = hostErrorIn(error);
  if (known !== undefined) return known;
  if (error instanceof SdkHttpError) return refusedByHttp(error, server, facts);
  if (isNoAnswer(error)) return answeredWrongly(error, server, facts);
  if (isEndlessAsking(error)) return asksForEver(error, server, facts);
  return new HostError(
    'server_unavailable',
    isLost(error)
      ? `The connection to server "${server}" was lost.`
      : `Server "${server}" cannot be used: ${messageOf(error)}.`,
    facts,
    { cause: error, advice: adviceForCode('server_unavailable', facts) },
  );
}

/** An error's message goes to notes, logs and screens whole, so it has a bound that no sentence reaches. */
function shortened(message: string): string {
  const isCut = message.length > maxCharacters;
  return isCut ? `${message.slice(0, maxCharacters).toWellFormed()}...` : message;
}

const maxCharacters = 4_000;

/** Writing the request ran out of stack: it was never sent, and would not be the next time either. */
function tooDeep(cause: RangeError, facts: HostErrorFacts): HostError {
  const message = 'The parameters are nested too deep to be sent. Give fewer levels.';
  return new HostError('invalid_params', message, facts, { cause });
}

/** A `HostError` that the SDK wrapped on its way. */
function hostErrorIn(error: unknown): HostError | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof HostError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

function refusedByHttp(error: SdkHttpError, server: string, facts: HostErrorFacts): HostError {
  const { status } = error;
  if (status === 401 || status === 403) {
    return new HostError(
      'login_required',
      `Server "${server}" refused access (HTTP ${status}).`,
      facts,
      {
        cause: error,
        advice: [
          { kind: 'log-in', server },
          { kind: 'set-token', server },
        ],
      },
    );
  }
  const unavailable = (message: string, advice: readonly Advice[] = []) =>
    new HostError('server_unavailable', message, facts, { cause: error, advice });
  if (status === 404 || status === 405) {
    return unavailable(
      `The address of server "${server}" answered ${status}. Check its "url" (many end in /mcp) and "transport" in the settings.`,
    );
  }
  const { message, data } = error;
  if (status >= 300 && status < 400) {
    return unavailable(
      `Server "${server}" redirects without saying where (${message}). Check its "url" in the settings.`,
    );
  }
  const complaint = complaintIn(String(data.text ?? ''));
  const why = complaint === undefined ? message : `${message}: ${complaint}`;
  return unavailable(
    `Server "${server}" could not take the request (${why}).`,
    adviceForCode('server_unavailable', facts),
  );
}

function isNoAnswer(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}

/** The SDK's own words for it are a list of an internal check's findings. */
function answeredWrongly(error: SdkError, server: string, facts: HostErrorFacts): HostError {
  const [, method] = /^Invalid result for ([\w/]+)/.exec(error.message) ?? [];
  const asked = method === undefined ? 'a request' : `"${method}"`;
  return new HostError(
    'server_unavailable',
    `Server "${server}" answered ${asked} with something that MCP does not allow. This is a bug in the server; report it to its authors.`,
    facts,
    { cause: error },
  );
}

function isEndlessAsking(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.InputRequiredRoundsExceeded;
}

function asksForEver(cause: SdkError, server: string, facts: HostErrorFacts): HostError {
  const message = `Server "${server}" asked again and again instead of answering. This is a bug in the server; report it to its authors.`;
  return new HostError('tool_failed', message, facts, { cause });
}

function isLost(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}

/** Why a signal fired: a `HostError` given as its reason, a timeout, or a cancellation. */
export function abortReason(signal: AbortSignal, server: string): HostError {
  const reason: unknown = signal.reason;
  if (reason instanceof HostError) return reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new HostError(
        'timeout',
        `Server "${server}" did not answer in time.`,
        { server },
        { advice: [{ kind: 'test-server', server }] },
      )
    : new HostError('cancelled', `The request to server "${server}" was cancelled.`, { server });
}

function codeOf(error: ProtocolError, tool: string | undefined) {
  if (tool === undefined) return 'server_unavailable';
  // The protocol has one code for a wrong parameter and for a tool that does not exist.
  const isUnknown = /unknown tool|tool\b.*\bnot found/i.test(error.message);
  if (isUnknown || error.code === ProtocolErrorCode.MethodNotFound) return 'tool_not_found';
  if (error.code === ProtocolErrorCode.InvalidParams) return 'invalid_params';
  return 'tool_failed';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
