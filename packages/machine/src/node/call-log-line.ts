import { hash } from 'node:crypto';
import type { CallRecord, LoggedCall, LoggedCallDetails } from '@errand/host';
import { isSecretName, sortedJson } from '@errand/host';
import { isRecord } from '@errand/wire';

/** One call as a line of JSON. Parameter values are left out unless asked for; secrets always are. */
export function writeLogLine(
  record: CallRecord,
  withParameters: boolean,
  redact: (text: string) => string,
): string {
  const hideInText = (text: string) => hideInTexts(text, redact);
  const { tool, parameters, attempts, error, ...rest } = record;
  return `${JSON.stringify({
    ...rest,
    // Of a resource it has the address, which may hold a token.
    tool: hideInText(tool),
    durationMs: record.completedAt - (record.startedAt ?? record.submittedAt),
    parameterNames: Object.keys(parameters),
    parameterHash: hash('sha256', sortedJson(parameters)).slice(0, 16),
    ...(withParameters && { parameters: hideSecrets(parameters, redact) }),
    attempts: attempts.map(({ reason, ...attempt }) => ({
      ...attempt,
      ...(reason !== undefined && { reason: hideInText(reason) }),
    })),
    ...(error && {
      error: { code: error.code, message: hideInText(error.message) },
      ...(error.facts?.lastOutput && { lastOutput: hideInText(error.facts.lastOutput) }),
    }),
  })}\n`;
}

/** The call of a line, or nothing when the line is torn or not ours: a log may come with a stranger's vault. */
export function readLogLine(line: string): LoggedCall | undefined {
  const fields = fieldsOf(line);
  return fields && readCall(fields);
}

/** The same with everything else that the line says. */
export function readLogDetails(line: string): LoggedCallDetails | undefined {
  const fields = fieldsOf(line);
  const call = fields && readCall(fields);
  if (call === undefined) return undefined;
  const { section, parameterNames, parameters, attempts, approval } = fields ?? {};
  const { conversation, lastOutput } = fields ?? {};
  const reasons = Array.isArray(attempts) ? attempts.map((attempt) => attempt?.reason) : [];
  return {
    ...call,
    section: textsIn(section),
    parameterNames: textsIn(parameterNames),
    parameters: isRecord(parameters) ? parameters : null,
    retryReasons: textsIn(reasons),
    approval: approval === 'given' || approval === 'denied' ? approval : null,
    conversation: typeof conversation === 'string' ? conversation : null,
    lastOutput: typeof lastOutput === 'string' ? lastOutput : null,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readCall(fields: Fields): LoggedCall | undefined {
  const { id, source, server, tool, status, submittedAt, error } = fields;
  const texts = [id, source, server, tool, status];
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return undefined;
  if (typeof submittedAt !== 'number' || Number.isNaN(new Date(submittedAt).getTime())) {
    return undefined;
  }
  const { note, line: noteLine, durationMs, attempts, resultBytes } = fields;
  return {
    ...({ id, source, server, tool, status } as Pick<LoggedCall, TextField>),
    note: typeof note === 'string' ? note : null,
    line: typeof noteLine === 'number' ? noteLine : null,
    submittedAt,
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
    attempts: Array.isArray(attempts) ? attempts.length : 0,
    resultBytes: typeof resultBytes === 'number' ? resultBytes : 0,
    error: readError(error),
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

type TextField = 'id' | 'source' | 'server' | 'tool' | 'status';

function readError(error: unknown): LoggedCall['error'] {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return { code, message } as LoggedCall['error'];
}

const secretText = /\b(bearer|basic|token|key|password|secret)(\s*[:=]\s*|\s+)[\w.~+/=-]{8,}/gi;

function hideInTexts(text: string, redact: (text: string) => string): string {
  return redact(text.replace(secretText, '$1$2[hidden]'));
}

/** A JSON value without what looks secret by its name or its form, and without the values of known secrets. */
export function hideSecrets(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return hideInTexts(value, redact);
  if (Array.isArray(value)) return value.map((part) => hideSecrets(part, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretName(name) ? '[hidden]' : hideSecrets(part, redact),
    ]),
  );
}
