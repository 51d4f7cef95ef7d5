import {
  defaultRetryPlan,
  describeLaunch,
  type HostEvent,
  type ServerConfig,
  systemClock,
  testServer,
  withChangedServer,
} from '@errand/host';
import type {
  PendingServer,
  Server,
  ServerTest,
  TrustState,
  WorkbenchEvent,
} from '../../contract.ts';
import { Calm } from '../events/calm.ts';
import { asFailure } from '../http/answer-failure.ts';
import { etagOf } from '../notes/note-text.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

type ServerDeskPorts = Pick<WorkbenchPorts, 'host' | 'settings' | 'trust' | 'connectors'> & {
  readonly feed: (event: WorkbenchEvent) => void;
};

/** How the servers are, told to pages as it changes; and their tests. */
export class ServerDesk implements AsyncDisposable {
  readonly #ports: ServerDeskPorts;
  readonly #steps = new Map<string, Server['step']>();
  readonly #tests = new Map<string, ServerTest>();
  readonly #testing = new Map<string, { ending: AbortController; done: Promise<void> }>();
  readonly #calm = new Calm();
  #trustTold: string;

  constructor(ports: ServerDeskPorts) {
    this.#ports = ports;
    this.#trustTold = JSON.stringify(this.trustState);
  }

  list(): readonly Server[] {
    return this.#ports.host.servers.list().map((server) => this.describe(server));
  }

  describe(server: ServerConfig): Server {
    const { host, trust } = this.#ports;
    const health = host.servers.health(server.id);
    const { retryState, reason } = health;
    const { id, name, transport, deploymentType } = server;
    // A server that was just given up is off, although that is not written down yet.
    const isGivenUp = server.enabled && host.servers.runner(id).state.phase === 'disabled';
    const isConnecting = health.connectionState === 'connecting';
    return {
      id,
      name,
      transport,
      deploymentType,
      summary: describeLaunch(server)[0] ?? '',
      enabled: server.enabled && !isGivenUp,
      autoDisabled: server.autoDisabled || isGivenUp,
      autoDisabledAt: health.autoDisabledAt ?? null,
      trust: trust.mayStart(server) === undefined ? 'trusted' : trust.verdict(server),
      connectionState: health.connectionState,
      step: isConnecting ? (this.#steps.get(id) ?? null) : null,
      problem: reason ? { code: reason.code, message: reason.message } : null,
      tools: health.toolCount ?? null,
      latencyMs: health.pingLatency ?? null,
      lastConnectedAt: health.lastConnectedAt ?? server.lastConnectedAt ?? null,
      lastAttemptAt: health.lastAttemptAt ?? null,
      lastFailureAt: health.lastFailureAt ?? null,
      attempt: retryState.currentAttempt,
      attempts: retryState.backoffIntervals.length,
      isRetrying: retryState.isRetrying,
      nextRetryAt: retryState.nextRetryAt ?? null,
      test: this.#tests.get(id) ?? null,
    };
  }

  get trustState(): TrustState {
    const { host, trust } = this.#ports;
    const pending = host.servers.list().flatMap((server): readonly PendingServer[] => {
      const verdict = trust.verdict(server);
      if (trust.mayStart(server) === undefined || verdict === 'trusted') return [];
      const { id, name } = server;
      const does = describeLaunch(server);
      return [{ id, name, verdict, does, seen: etagOf(JSON.stringify([id, name, does])) }];
    });
    return { pending };
  }

  readonly follow = (event: HostEvent): void => {
    switch (event.kind) {
      case 'server-step':
        this.#steps.set(event.serverId, event.step);
        this.tell(event.serverId);
        return;
      case 'server-changed':
        this.tell(event.serverId);
        return;
      case 'tools-changed':
        this.#ports.feed({ kind: 'tools-changed', serverId: event.serverId });
        return;
      case 'settings-changed':
        this.#ports.feed({ kind: 'servers-changed', servers: this.list() });
        this.tellTrust();
        return;
    }
  };

  tell(serverId: string): void {
    this.#calm.tell(serverId, () => {
      // By then it may have been removed.
      const server = this.#ports.host.servers.list().find(({ id }) => id === serverId);
      if (server) this.#ports.feed({ kind: 'server-changed', server: this.describe(server) });
    });
  }

  /** To be called when what may start may be another. */
  tellTrust(): void {
    const trust = this.trustState;
    const seen = JSON.stringify(trust);
    if (seen === this.#trustTold) return;
    this.#trustTold = seen;
    this.#ports.feed({ kind: 'trust-changed', trust });
  }

  /** Begins to test a server; one that works is enabled when that was wanted. */
  test(server: ServerConfig, { enables = false } = {}): void {
    const { trust } = this.#ports;
    const refusal = trust.mayStart(server);
    if (refusal !== undefined) throw refusal;
    this.#testing.get(server.id)?.ending.abort();
    const ending = new AbortController();
    const done = this.#test(server, enables, ending.signal).finally(() => {
      if (this.#testing.get(server.id)?.ending === ending) this.#testing.delete(server.id);
    });
    this.#testing.set(server.id, { ending, done });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#calm[Symbol.dispose]();
    for (const { ending } of this.#testing.values()) ending.abort();
    await Promise.all([...this.#testing.values()].map(({ done }) => done));
  }

  async #test(server: ServerConfig, enables: boolean, signal: AbortSignal): Promise<void> {
    const { connectors } = this.#ports;
    const startedAt = Date.now();
    let test: ServerTest = { isRunning: true, startedAt, steps: [], tools: null, error: null };
    const show = (change: Partial<ServerTest>) => {
      if (signal.aborted) return;
      test = { ...test, ...change };
      this.#tests.set(server.id, test);
      this.tell(server.id);
    };
    show({});
    try {
      const ports = { connectors, clock: systemClock, plan: defaultRetryPlan };
      const { tools, error } = await testServer(server, ports, {
        signal,
        onStep: (step) => show({ steps: [...test.steps, step] }),
      });
      if (error === undefined && enables && !signal.aborted) await this.#enable(server.id);
      show({
        isRunning: false,
        tools: error === undefined ? tools.length : null,
        error: error === undefined ? null : asFailure(error),
      });
    } catch (error) {
      show({ isRunning: false, error: asFailure(error) });
    }
  }

  async #enable(id: string): Promise<void> {
    const { settings, host } = this.#ports;
    const saved = await settings.save((current) =>
      withChangedServer(current, id, (server) => ({ ...server, enabled: true })),
    );
    host.servers.apply(saved);
  }
}
