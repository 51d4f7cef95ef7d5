import type {
  CallOutcome,
  CallSource,
  ErrorInfo,
  Host,
  LoggedCall,
  Progress,
  ToolInvocationRequest,
} from '@errand/host';

/** A call that waits or runs. */
export interface ActiveCall {
  readonly id: string;
  readonly status: 'pending' | 'executing';
  readonly source: CallSource;
  /** The server's name. */
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly submittedAt: number;
  readonly startedAt: number | null;
  readonly progress: Progress | null;
  /** False for calls of the gateway's clients, which cannot be cancelled from a face. */
  readonly isOwn: boolean;
}

/** A call that ended, as the log has it or will have it. */
export interface PastCall extends Omit<LoggedCall, 'resultBytes' | 'error'> {
  /** null until the log has it. */
  readonly resultBytes: number | null;
  readonly error: Pick<ErrorInfo, 'code' | 'message'> | null;
}

/** What is known of a call before it ended. */
export function activeCall(
  request: ToolInvocationRequest,
  { servers }: Pick<Host, 'servers'>,
): Omit<ActiveCall, 'status' | 'submittedAt' | 'startedAt' | 'progress'> {
  const { source } = request;
  return { ...describeCall(request, servers), isOwn: source !== 'gateway' };
}

/** A call that has just ended. */
export function pastCall(
  request: ToolInvocationRequest,
  outcome: CallOutcome,
  submittedAt: number,
  { servers }: Pick<Host, 'servers'>,
): PastCall {
  const { status, durationMs, attempts } = outcome;
  const error =
    outcome.status === 'success'
      ? null
      : { code: outcome.error.code, message: outcome.error.message };
  const call = describeCall(request, servers);
  return { ...call, status, submittedAt, durationMs, attempts, resultBytes: null, error };
}

/** Says what a request calls and where it comes from, with the server's name. */
export function describeCall(
  request: ToolInvocationRequest,
  servers: Pick<Host['servers'], 'find'>,
): Pick<LoggedCall, 'id' | 'source' | 'server' | 'tool' | 'note' | 'line'> {
  const { id, source, serverId, toolName, documentPath, sectionLine } = request;
  return {
    id,
    source,
    server: servers.find(serverId)?.name ?? serverId,
    tool: toolName,
    note: documentPath ?? null,
    line: sectionLine ?? null,
  };
}

/** A word for how a call is, or how it ended. */
export const callStatusLabels: Readonly<Record<PastCall['status'], string>> = {
  pending: 'Waiting',
  executing: 'Running',
  success: 'Worked',
  error: 'Failed',
  timeout: 'Took too long',
  cancelled: 'Cancelled',
};
