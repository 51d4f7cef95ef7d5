import type { CallRecord } from '../call-log.ts';
import type { ContentPart, RawToolResult } from '../connection.ts';
import { lastOutputOf } from '../text/last-output.ts';
import type { CallOutcome, ErrorInfo } from '../tool-invocation.ts';
import type { CallJournal } from './call-journal.ts';
import type { RunningCall } from './running-call.ts';

/** A finished call as the log gets it. */
export function logRecord(
  { request, submittedAt }: Pick<RunningCall, 'request' | 'submittedAt'>,
  journal: CallJournal,
  outcome: CallOutcome,
  completedAt: number,
): CallRecord {
  const { documentPath, sectionLine, section, round } = request;
  const { startedAt, approval, attempts } = journal;
  const tokensUsed = outcome.result?.tokensUsed;
  return {
    id: request.id,
    source: request.source,
    server: journal.serverName,
    tool: request.toolName,
    ...(documentPath !== undefined && { note: documentPath }),
    ...(sectionLine !== undefined && { line: sectionLine }),
    ...(section !== undefined && { section }),
    parameters: journal.parameters ?? request.parameters,
    status: outcome.status,
    submittedAt,
    ...(startedAt !== undefined && { startedAt }),
    completedAt,
    attempts,
    resultBytes: outcome.result === undefined ? 0 : sizeOf(outcome.result.raw),
    ...(tokensUsed !== undefined && { tokensUsed }),
    ...(approval !== undefined && { approval }),
    ...(round && { conversation: round.conversation, round: round.number }),
    ...(round?.tokens && { tokens: round.tokens }),
    ...(outcome.status !== 'success' && { error: loggedError(outcome.error) }),
  };
}

/** A failure as the log stores it. */
export function loggedError(error: ErrorInfo): ErrorInfo {
  const { code, message } = error;
  const lastOutput = lastOutputOf(error);
  return { code, message, ...(lastOutput !== '' && { facts: { lastOutput } }) };
}

function sizeOf({ content, structuredContent }: RawToolResult): number {
  const bytes = sizeOfParts(content);
  if (bytes > 0 || structuredContent === undefined) return bytes;
  return Buffer.byteLength(JSON.stringify(structuredContent));
}

/** The bytes of what a person would call the answer: texts and data, without the envelope. */
export function sizeOfParts(parts: readonly Partial<ContentPart>[]): number {
  let bytes = 0;
  for (const part of parts) {
    for (const value of [part, part.resource]) {
      if (typeof value !== 'object' || value === null) continue;
      const { text, data, blob } = value as Readonly<Record<string, unknown>>;
      for (const field of [text, data, blob]) {
        if (typeof field === 'string') bytes += Buffer.byteLength(field);
      }
    }
  }
  return bytes;
}
