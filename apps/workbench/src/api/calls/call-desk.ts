import type {
  CallOutcome,
  Host,
  HostEvent,
  NoteSessions,
  ToolInvocationRequest,
} from '@errand/host';
import { Throttle } from '@errand/workspace/events';
import type {
  ActiveCall,
  CallDetails,
  CallState,
  PastCall,
  Progress,
  WorkbenchEvent,
} from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import { ApiError } from '../http/api-error.ts';
import { callContent } from './call-content.ts';

/** Recent calls that can be looked at in full. */
const mostRecent = { calls: 200, characters: 16 * 1024 * 1024 };

/** Follows every call of the host, whoever made it, and ends those that were asked for here. */
export class CallDesk {
  readonly #host: Pick<Host, 'servers' | 'tracker' | 'cancel'>;
  readonly #sessions: NoteSessions;
  readonly #feed: (event: WorkbenchEvent) => void;
  readonly #active = new Map<string, ActiveCall>();
  readonly #recent = new Map<string, { readonly details: CallDetails; readonly size: number }>();
  readonly #throttle = new Throttle(warnOfFault);
  #recentSize = 0;

  constructor(
    host: Pick<Host, 'servers' | 'tracker' | 'cancel'>,
    sessions: NoteSessions,
    feed: (event: WorkbenchEvent) => void,
  ) {
    this.#host = host;
    this.#sessions = sessions;
    this.#feed = feed;
  }

  get state(): CallState {
    const calls = [...this.#active.values()];
    const isRunning = ({ status }: ActiveCall) => status === 'executing';
    return {
      isStopped: this.#host.tracker.stopped,
      active: [...calls.filter(isRunning), ...calls.filter((call) => !isRunning(call))],
      sessions: this.#sessions.list(),
    };
  }

  /** Ends a call that waits or runs, unless a client of the gateway made it. */
  cancel(id: string): void {
    const call = this.#active.get(id);
    if (call === undefined) throw new ApiError('not_found', 'This call has ended already.');
    if (!call.isOwn) {
      const message = 'Another program made this call. Cancel it there, or stop all calls.';
      throw new ApiError('conflict', message);
    }
    this.#host.cancel(id);
  }

  /** Shows how far a call is. */
  report(id: string, progress: Progress): void {
    const call = this.#active.get(id);
    if (call === undefined) return;
    this.#active.set(id, { ...call, progress });
    this.#throttle.run(id, () => {
      const now = this.#active.get(id);
      if (now !== undefined) this.#feed({ kind: 'call-changed', call: now });
    });
  }

  /** A recent call in full. */
  recall(id: string): CallDetails | undefined {
    return this.#recent.get(id)?.details;
  }

  readonly follow = (event: HostEvent): void => {
    switch (event.kind) {
      case 'call-queued':
        this.#show(event.request, { status: 'pending', submittedAt: Date.now(), startedAt: null });
        return;
      case 'call-started':
        this.#show(event.request, { status: 'executing', startedAt: Date.now() });
        this.#sessions.count(event.request.sessionId);
        return;
      case 'call-finished':
        this.#end(event.request, event.outcome);
        return;
      case 'calls-stopped':
      case 'calls-resumed':
        this.#feed({ kind: 'calls-stopped', isStopped: event.kind === 'calls-stopped' });
        return;
    }
  };

  #show(
    request: ToolInvocationRequest,
    state: Pick<ActiveCall, 'status' | 'startedAt'> & Partial<ActiveCall>,
  ): void {
    const submittedAt = this.#active.get(request.id)?.submittedAt ?? Date.now();
    const isOwn = request.source !== 'gateway';
    const call = { ...this.#describe(request), submittedAt, isOwn, progress: null, ...state };
    this.#active.set(request.id, call);
    this.#feed({ kind: 'call-changed', call });
  }

  #end(request: ToolInvocationRequest, outcome: CallOutcome): void {
    const submittedAt = this.#active.get(request.id)?.submittedAt ?? Date.now();
    this.#active.delete(request.id);
    const { status, durationMs, attempts } = outcome;
    const { code, message } = outcome.status === 'success' ? {} : outcome.error;
    const call: PastCall = {
      ...this.#describe(request),
      status,
      submittedAt,
      durationMs,
      attempts,
      resultBytes: null,
      error: code === undefined ? null : { code, message: message ?? '' },
    };
    this.#remember({
      call,
      params: request.parameters,
      content: outcome.result === undefined ? null : callContent(outcome.result),
    });
    this.#feed({ kind: 'call-ended', call });
  }

  #describe(request: ToolInvocationRequest) {
    const { id, source, serverId, toolName, documentPath, sectionLine } = request;
    return {
      id,
      source,
      server: this.#host.servers.find(serverId)?.name ?? serverId,
      tool: toolName,
      note: documentPath ?? null,
      line: sectionLine ?? null,
    };
  }

  #remember(details: CallDetails): void {
    const { content } = details;
    const data = content?.attachments.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
    const size = data + (content?.text.length ?? 0);
    this.#recent.set(details.call.id, { details, size });
    this.#recentSize += size;
    for (const [id, oldest] of this.#recent) {
      const { calls, characters } = mostRecent;
      if (this.#recent.size <= calls && this.#recentSize <= characters) return;
      this.#recent.delete(id);
      this.#recentSize -= oldest.size;
    }
  }
}
