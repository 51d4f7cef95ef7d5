import { inspect } from 'node:util';
import { escapeControls } from '@errand/document/display';
import { briefFailure, type ErrorInfo, HostError, type HostErrorCode } from '@errand/host';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ApiFailure, Failure } from '../../contract.ts';
import { ApiError, type ApiErrorCode } from './api-error.ts';

/** Answers with a failure. Details of unexpected errors are left out. */
export function answerFailure(thrown: unknown, context: Context): Response {
  // Hono throws this for one reason only: its validator could not parse the body.
  const error =
    thrown instanceof HTTPException
      ? new ApiError('invalid_input', 'The body is not JSON.')
      : thrown;
  if (error instanceof ApiError) {
    const { code, message, fields, current } = error;
    const body: ApiFailure = {
      error: { code, message, ...(fields && { fields }) },
      ...(current && { current }),
    };
    return context.json(body, ownStatus[code]);
  }
  // The client has disconnected; nobody reads this.
  if (context.req.raw.signal.aborted) return new Response(null, { status: 499 });
  const status = thrown instanceof HostError ? (hostStatus[thrown.code] ?? 502) : 500;
  return context.json({ error: asFailure(thrown) }, status);
}

/** A thrown value as the page gets it. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof HostError) return describeError(thrown);
  // It may quote a stranger's file, and a terminal obeys what it is shown.
  console.error(escapeControls(inspect(thrown)));
  return {
    code: 'internal',
    message: 'Something went wrong inside Errand. The terminal it was started in says what.',
  };
}

/** An error of the host as the page gets it. */
export function describeError(error: ErrorInfo): Failure {
  const { code, message, facts } = error;
  return {
    ...briefFailure(error),
    ...(code === 'invalid_params' && facts?.path && { fields: { [facts.path]: message } }),
    ...(facts?.lastOutput && { lastWords: facts.lastOutput }),
  };
}

const ownStatus = {
  conflict: 409,
  invalid_input: 422,
  not_found: 404,
  forbidden: 403,
  vault_missing: 503,
} as const satisfies Readonly<Record<ApiErrorCode, number>>;

/** Every other code is a failure of an MCP server: 502. */
const hostStatus: Readonly<Partial<Record<HostErrorCode, 403 | 404 | 409 | 422 | 429>>> = {
  server_unknown: 404,
  tool_not_found: 404,
  note_unreadable: 404,
  invalid_params: 422,
  settings_invalid: 422,
  secret_missing: 422,
  untrusted: 403,
  section_forbids: 403,
  approval_denied: 403,
  server_disabled: 409,
  note_changed: 409,
  output_edited: 409,
  stopped: 409,
  session_limit: 429,
};
