import type { RawToolResult } from '../connection.ts';
import { describeFault } from '../events/catch-faults.ts';
import { briefFailure, HostError } from '../host-error.ts';
import type { CallOutcome, ErrorInfo, ToolExecutionResult } from '../tool-invocation.ts';
import type { CallJournal } from './call-journal.ts';
import { isConnectionLoss } from './is-connection-loss.ts';
import type { RunningCall } from './running-call.ts';
import { typeResult } from './type-result.ts';

/** The outcome of a call that was answered; the tool's own failure is one too. */
export function answeredOutcome(
  raw: RawToolResult,
  call: RunningCall,
  journal: CallJournal,
  now: number,
): CallOutcome {
  const result = typeResult(raw, now - (journal.startedAt ?? now));
  const base = outcomeBase(call, journal, now);
  if (!raw.isError) return { ...base, status: 'success', result };
  const error = { code: 'tool_failed', message: failureText(result, call) } as const;
  return { ...base, status: 'error', error, result };
}

/** The outcome of a call that got no answer. What is not a `HostError` is a defect, and is said to be one. */
export function failedOutcome(
  thrown: unknown,
  call: RunningCall,
  journal: CallJournal,
  now: number,
): CallOutcome {
  // A call that was cancelled failed because of that, whatever error it ended with.
  const cause: unknown = call.signal.aborted ? call.signal.reason : thrown;
  const error = cause instanceof HostError ? cause : defect(cause, journal);
  const base = outcomeBase(call, journal, now);
  return { ...base, status: statusOf(error), error: describe(error, journal) };
}

function defect(cause: unknown, { attempts }: CallJournal): HostError {
  const effect = attempts.length > 0 ? ' The call may have taken effect; it was not repeated.' : '';
  const message = `A defect of Errand ended the call (${describeFault(cause)}). Please report it.${effect}`;
  return new HostError('tool_failed', message, {}, { cause });
}

function outcomeBase(call: RunningCall, journal: CallJournal, now: number) {
  return {
    requestId: call.request.id,
    attempts: journal.attempts.length,
    durationMs: now - (journal.startedAt ?? call.submittedAt),
  };
}

/** How a call ended that failed with this error. */
export function statusOf({ code }: HostError): 'error' | 'timeout' | 'cancelled' {
  if (code === 'timeout') return 'timeout';
  return code === 'cancelled' || code === 'stopped' ? 'cancelled' : 'error';
}

/** The failure, and what is known of its effect where the call may have had one. */
function describe(error: HostError, { attempts }: CallJournal): ErrorInfo {
  const { facts } = error;
  const isUncertain = isConnectionLoss(error) && attempts.length > 0 && !facts.neverSent;
  if (!isUncertain) return { ...briefFailure(error), facts };
  const effect =
    attempts.length > 1
      ? `It was tried ${attempts.length} times.`
      : 'The call may have taken effect; it was not repeated.';
  return {
    ...briefFailure(error),
    message: `${error.message} ${effect}`,
    facts: { ...facts, headline: error.message, detail: effect },
  };
}

function failureText(
  { content, contentType }: ToolExecutionResult,
  { request }: RunningCall,
): string {
  const text = contentType === 'json' ? (messageIn(content) ?? JSON.stringify(content)) : content;
  if (typeof text !== 'string' || text.trim() === '')
    return `Tool "${request.toolName}" failed and did not say why.`;
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** Servers that report failures as an object, as ours do, have a sentence for people in it. */
function messageIn(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('message' in content)) return undefined;
  return typeof content.message === 'string' ? content.message : undefined;
}

const longest = 4_000;
