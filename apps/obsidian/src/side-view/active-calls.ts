import type { Host, HostEvent, LoggedCall, ToolInvocationRequest } from '@errand/host';

/** A call that waits or runs. */
export interface ActiveCall {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly note: string | null;
  readonly line: number | null;
  readonly isRunning: boolean;
  /** When it began to run, or to wait. */
  readonly since: number;
}

/** Follows every call of the host, whoever made it. */
export class ActiveCalls {
  readonly #host: Pick<Host, 'servers'>;
  readonly #calls = new Map<string, ActiveCall>();

  constructor(host: Pick<Host, 'servers'>) {
    this.#host = host;
  }

  /** Those that run first, each group in the order it came. */
  list(): readonly ActiveCall[] {
    const calls = [...this.#calls.values()];
    return [...calls.filter((call) => call.isRunning), ...calls.filter((call) => !call.isRunning)];
  }

  follow(event: HostEvent, now: number): void {
    if (event.kind === 'call-queued' || event.kind === 'call-started') {
      const { request } = event;
      const isRunning = event.kind === 'call-started';
      this.#calls.set(request.id, { ...this.#describe(request), isRunning, since: now });
    }
    if (event.kind === 'call-finished') this.#calls.delete(event.request.id);
  }

  /** A call that has just ended, as the log will tell it. */
  ended({ request, outcome }: HostEvent & { kind: 'call-finished' }, now: number): LoggedCall {
    const { status, durationMs, attempts } = outcome;
    return {
      ...this.#describe(request),
      source: request.source,
      status,
      submittedAt: now - durationMs,
      durationMs,
      attempts,
      resultBytes: 0,
      error: outcome.status === 'success' ? null : outcome.error,
    };
  }

  #describe({ id, serverId, toolName, documentPath, sectionLine }: ToolInvocationRequest) {
    return {
      id,
      server: this.#host.servers.find(serverId)?.name ?? serverId,
      tool: toolName,
      note: documentPath ?? null,
      line: sectionLine ?? null,
    };
  }
}
