import {
  type CallOutcome,
  type Host,
  type HostEvent,
  Listeners,
  NoteSessions,
  type OnFault,
  type SessionUse,
  type ToolInvocationRequest,
} from '@errand/host';
import { Throttle } from '../events/throttle.ts';
import { sessionName } from '../text/session-name.ts';
import { type ActiveCall, activeCall, type PastCall, pastCall } from './call-view.ts';

/** What runs now. */
export interface ActivitySnapshot {
  /** Somebody stopped all calls; new ones are refused until they are resumed. */
  readonly isStopped: boolean;
  /** Running first, then those that wait; each in order. */
  readonly active: readonly ActiveCall[];
  readonly sessions: readonly SessionUse[];
}

export type ActivityEvent =
  | { readonly kind: 'call-changed'; readonly call: ActiveCall }
  | {
      readonly kind: 'call-ended';
      readonly call: PastCall;
      readonly request: ToolInvocationRequest;
      readonly outcome: CallOutcome;
    }
  | { readonly kind: 'calls-stopped'; readonly isStopped: boolean }
  | { readonly kind: 'session-changed'; readonly session: SessionUse }
  /** Told once when most of a session's calls are used, with a sentence that says so. */
  | { readonly kind: 'session-near'; readonly session: SessionUse; readonly message: string };

interface ActivityPorts {
  /** Sessions of the face's own, beside those of notes and conversations. */
  readonly otherSessions?: readonly string[];
  /** Told when a listener throws. */
  readonly onFault: OnFault;
}

/** Follows every call of a host, and counts the calls of each session. */
export class Activity implements Disposable {
  readonly sessions: NoteSessions;
  readonly #host: Host;
  readonly #active = new Map<string, ActiveCall>();
  readonly #listeners: Listeners<ActivityEvent>;
  readonly #throttle: Throttle;
  readonly #unsubscribe: () => void;

  constructor(host: Host, { otherSessions = [], onFault }: ActivityPorts) {
    this.#host = host;
    this.#listeners = new Listeners(onFault);
    this.#throttle = new Throttle(onFault);
    this.sessions = new NoteSessions(host, {
      others: otherSessions,
      onChange: (session) => this.#listeners.emit({ kind: 'session-changed', session }),
      onNear: (session) => {
        const { executed, limit } = session;
        const message = `${executed} of ${limit} calls of ${sessionName(session) ?? 'this session'} are used`;
        this.#listeners.emit({ kind: 'session-near', session, message });
      },
    });
    for (const { request, submittedAt, startedAt = null } of host.calls) {
      const status = startedAt === null ? 'pending' : 'executing';
      this.#show(request, { status, submittedAt, startedAt });
    }
    this.#unsubscribe = host.events.subscribe((event) => this.#follow(event));
  }

  get snapshot(): ActivitySnapshot {
    const calls = [...this.#active.values()];
    const isRunning = ({ status }: ActiveCall) => status === 'executing';
    return {
      isStopped: this.#host.tracker.stopped,
      active: [...calls.filter(isRunning), ...calls.filter((call) => !isRunning(call))],
      sessions: this.sessions.list(),
    };
  }

  /** Calls back at every change; progress of the same call at most ten times a second. */
  subscribe(listener: (event: ActivityEvent) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** Ends a call that waits or runs. One that has ended, or is a gateway client's, is left alone. */
  cancel(id: string): 'cancelled' | 'ended' | 'not-own' {
    const call = this.#active.get(id);
    if (call === undefined) return 'ended';
    if (!call.isOwn) return 'not-own';
    this.#host.cancel(id);
    return 'cancelled';
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#throttle[Symbol.dispose]();
  }

  #follow(event: HostEvent): void {
    switch (event.kind) {
      case 'call-queued':
        this.#show(event.request, { status: 'pending' });
        return;
      case 'call-started':
        this.#show(event.request, { status: 'executing', startedAt: Date.now() });
        return;
      case 'call-progress': {
        const { id } = event.request;
        const call = this.#active.get(id);
        if (call === undefined) return;
        this.#active.set(id, { ...call, progress: event.progress });
        this.#throttle.run(id, () => this.#tell(id));
        return;
      }
      case 'call-finished':
        this.#end(event.request, event.outcome);
        return;
      case 'calls-stopped':
      case 'calls-resumed':
        this.#listeners.emit({
          kind: 'calls-stopped',
          isStopped: event.kind === 'calls-stopped',
        });
        return;
      case 'session-changed':
        this.sessions.follow(event.sessionId);
        return;
      case 'settings-changed':
        this.sessions.refresh();
    }
  }

  #show(
    request: ToolInvocationRequest,
    state: Pick<ActiveCall, 'status'> & Partial<ActiveCall>,
  ): void {
    const submittedAt = this.#active.get(request.id)?.submittedAt ?? Date.now();
    const call = activeCall(request, this.#host);
    this.#active.set(request.id, {
      ...call,
      submittedAt,
      startedAt: null,
      progress: null,
      ...state,
    });
    this.#tell(request.id);
  }

  #tell(id: string): void {
    const call = this.#active.get(id);
    if (call !== undefined) this.#listeners.emit({ kind: 'call-changed', call });
  }

  #end(request: ToolInvocationRequest, outcome: CallOutcome): void {
    const submittedAt = this.#active.get(request.id)?.submittedAt ?? Date.now();
    this.#active.delete(request.id);
    this.#throttle.drop(request.id);
    const call = pastCall(request, outcome, submittedAt, this.#host);
    this.#listeners.emit({ kind: 'call-ended', call, request, outcome });
  }
}
