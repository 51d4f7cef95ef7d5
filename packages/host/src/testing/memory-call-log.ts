import type {
  CallFilter,
  CallLog,
  CallRecord,
  LoggedCall,
  LoggedCallDetails,
} from '../call-log.ts';

/** A log that a test can look into. */
export class MemoryCallLog implements CallLog {
  readonly records: CallRecord[] = [];
  readonly results = new Map<string, string | Uint8Array>();

  append(record: CallRecord): void {
    this.records.push(record);
  }

  async query({ limit = 100, server, note }: CallFilter): Promise<readonly LoggedCall[]> {
    return this.records
      .filter((record) => !server || record.server.toLowerCase() === server.toLowerCase())
      .filter((record) => !note || record.note === note)
      .toReversed()
      .slice(0, limit)
      .map(loggedCall);
  }

  async find(id: string): Promise<LoggedCallDetails | undefined> {
    const record = this.records.findLast((each) => each.id.startsWith(id));
    if (record === undefined) return undefined;
    const { section = [], parameters, attempts, approval = null, conversation = null } = record;
    return {
      ...loggedCall(record),
      section,
      parameterNames: Object.keys(parameters),
      parameters: null,
      retryReasons: attempts.flatMap(({ reason }) => reason ?? []),
      approval,
      conversation,
      lastOutput: record.error?.facts?.lastOutput ?? null,
    };
  }

  async keepResult(callId: string, content: string | Uint8Array): Promise<string> {
    this.results.set(callId, content);
    return `.errand/log/results/${callId}`;
  }
}

function loggedCall(record: CallRecord): LoggedCall {
  return {
    id: record.id,
    source: record.source,
    server: record.server,
    tool: record.tool,
    note: record.note ?? null,
    line: record.line ?? null,
    status: record.status,
    submittedAt: record.submittedAt,
    durationMs: record.completedAt - (record.startedAt ?? record.submittedAt),
    attempts: record.attempts.length,
    resultBytes: record.resultBytes,
    error: record.error ?? null,
  };
}
