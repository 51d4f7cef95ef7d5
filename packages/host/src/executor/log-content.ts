import { isRecord, type JsonObject } from '@errand/wire';
import type { CallLog } from '../call-log.ts';
import type { Clock } from '../clock.ts';
import type { ContentRequest } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { loggedError, sizeOfParts } from './log-record.ts';
import { statusOf } from './outcome.ts';

interface ContentLog {
  readonly log: CallLog;
  readonly clock: Clock;
  readonly server: string;
  readonly signal: AbortSignal;
}

/** Puts a read of a resource or prompt into the call log; lists and completions are not reads. */
export async function logContent(
  { method, params }: ContentRequest,
  { log, clock, server, signal }: ContentLog,
  work: () => Promise<JsonObject>,
): Promise<JsonObject> {
  if (method !== 'resources/read' && method !== 'prompts/get') return work();
  const submittedAt = clock.now();
  const { uri, name, arguments: given } = params;
  const record = {
    id: crypto.randomUUID(),
    // Clients of the gateway are the only ones who read resources and prompts.
    source: 'gateway',
    server,
    tool: `${method} ${String(uri ?? name).slice(0, longestName)}`,
    parameters: isRecord(given) ? given : {},
    submittedAt,
    attempts: [{ startedAt: submittedAt }],
  } as const;
  try {
    const result = await work();
    const resultBytes = sizeOfParts(partsOf(result));
    log.append({ ...record, status: 'success', completedAt: clock.now(), resultBytes });
    return result;
  } catch (thrown) {
    const error = failureOf(thrown, signal);
    log.append({
      ...record,
      status: statusOf(error),
      completedAt: clock.now(),
      resultBytes: 0,
      error: loggedError(error),
    });
    throw thrown;
  }
}

/** Addresses may be as long as their server likes. */
const longestName = 300;

function partsOf({ contents, messages }: JsonObject): readonly JsonObject[] {
  const parts: readonly unknown[] = Array.isArray(contents)
    ? contents
    : Array.isArray(messages)
      ? messages.map((message) => (isRecord(message) ? message.content : undefined))
      : [];
  return parts.filter(isRecord);
}

function failureOf(thrown: unknown, { aborted, reason }: AbortSignal): HostError {
  if (aborted) {
    return reason instanceof HostError ? reason : new HostError('cancelled', 'Execution cancelled');
  }
  if (thrown instanceof HostError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new HostError('tool_failed', message, {}, { cause: thrown });
}
