import { hash } from 'node:crypto';
import type { CallRecord, LoggedCall } from '@errand/host';
import { isSecretName, sortedJson } from '@errand/host';

/** One call as a line of JSON. Parameter values are left out unless asked for; secrets always are. */
export function writeLogLine(
  record: CallRecord,
  withParameters: boolean,
  redact: (text: string) => string,
): string {
  const hideInText = (text: string) => redact(text.replace(secretText, '$1$2[hidden]'));
  const { parameters, attempts, error, ...rest } = record;
  return `${JSON.stringify({
    ...rest,
    durationMs: record.completedAt - (record.startedAt ?? record.submittedAt),
    parameterNames: Object.keys(parameters),
    parameterHash: hash('sha256', sortedJson(parameters)).slice(0, 16),
    ...(withParameters && { parameters: hideInValue(parameters, hideInText) }),
    attempts: attempts.map(({ reason, ...attempt }) => ({
      ...attempt,
      ...(reason !== undefined && { reason: hideInText(reason) }),
    })),
    ...(error && { error: { code: error.code, message: hideInText(error.message) } }),
  })}\n`;
}

/** The call of a line, or nothing when the line is torn or not ours. */
export function readLogLine(line: string): LoggedCall | undefined {
  let call: Partial<LoggedCall> & { readonly attempts?: unknown };
  try {
    call = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { id, source, server, tool, status, submittedAt } = call ?? {};
  if (!id || !source || !server || !tool || !status || typeof submittedAt !== 'number') {
    return undefined;
  }
  return {
    id,
    source,
    server,
    tool,
    note: call.note ?? null,
    line: call.line ?? null,
    status,
    submittedAt,
    durationMs: call.durationMs ?? 0,
    attempts: Array.isArray(call.attempts) ? call.attempts.length : 0,
    resultBytes: call.resultBytes ?? 0,
    error: call.error ?? null,
  };
}

const secretText = /\b(bearer|basic|token|key|password|secret)(\s*[:=]\s*|\s+)[\w.~+/=-]{8,}/gi;

function hideInValue(value: unknown, hideInText: (text: string) => string): unknown {
  if (typeof value === 'string') return hideInText(value);
  if (Array.isArray(value)) return value.map((part) => hideInValue(part, hideInText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretName(name) ? '[hidden]' : hideInValue(part, hideInText),
    ]),
  );
}
