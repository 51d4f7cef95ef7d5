import { McpError, ServiceError } from '@errand/server-kit';
import { toMcpError } from '../api/gmail-error.ts';
import { LedgerError, type SendRecord } from './ledger.ts';
import { settleTime } from './next-step.ts';

const lookHint = 'Look into Sent and Drafts in Gmail.';

/** Gmail refused the mail: nothing was sent. */
export function refusedSend(error: unknown): unknown {
  const known = toMcpError(error, 'the mail');
  if (!(known instanceof McpError) || !(error instanceof ServiceError)) return known;
  if (['auth_required', 'permission_denied', 'rate_limited'].includes(known.code)) return known;
  return new McpError('send_failed', `Nothing was sent. ${known.message}`, known.details, {
    cause: error,
  });
}

/** Nobody knows yet what became of a request. */
export function lostAnswer(record: SendRecord, what: string, cause?: unknown): McpError {
  return new McpError(
    'send_failed',
    `Gmail did not confirm ${what}. Ask again in a minute with the same idempotency_key or the same mail: what happened is then looked up, and it is not sent twice.`,
    { ...facts(record), state: 'pending', retry_after: settleTime / 1000 },
    { cause },
  );
}

/** An earlier attempt may still be under way. */
export function stillRunning(record: SendRecord, milliseconds: number): McpError {
  return new McpError(
    'send_failed',
    'This mail is being sent, or an attempt to send it was cut off a moment ago. Ask again later: it is not sent twice.',
    { ...facts(record), state: 'pending', retry_after: Math.ceil(milliseconds / 1000) },
  );
}

/** Nobody can tell whether a mail was sent. */
export function unclear(record: SendRecord): McpError {
  return new McpError(
    'send_failed',
    `It is unclear whether this mail was sent: its draft is gone or was changed, and no such mail is in its thread. It is not sent again by itself. ${lookHint} To send it all the same, use another idempotency_key.`,
    { ...facts(record), state: 'unclear' },
  );
}

/** The ledger could not be read or written. It is written before each step, so the step was not taken. */
export function fromLedger(error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error;
  return new McpError(
    'send_failed',
    `Nothing was sent by this call, because the ledger of sent mails cannot be used: ${error.message}`,
    undefined,
    { cause: error },
  );
}

export function conflictingKey({ key, state }: SendRecord): McpError {
  const what = state === 'sent' ? 'was sent' : 'has been begun';
  return new McpError(
    'conflict',
    `Another mail ${what} under this idempotency_key. Nothing was sent. Use a key for one mail only.`,
    { idempotency_key: key },
  );
}

export function tooManyMails(cap: number, milliseconds: number): McpError {
  return new McpError(
    'rate_limited',
    `${cap} mails were sent in the last 24 hours, which is the limit set for this server. Nothing was sent.`,
    { daily_cap: cap, retry_after: Math.max(1, Math.ceil(milliseconds / 1000)) },
  );
}

function facts({ key, draftId, threadId }: SendRecord): Readonly<Record<string, unknown>> {
  return {
    idempotency_key: key,
    ...(draftId !== undefined && { draft_id: draftId }),
    ...(threadId !== undefined && { thread_id: threadId }),
  };
}
