import {
  describeLaunch,
  type HostEvent,
  type ServerConfig,
  type ServerSnapshot,
} from '@errand/host';
import { Throttle } from '@errand/workspace/events';
import { ServerTests, serverApproval } from '@errand/workspace/servers';
import type {
  PendingServer,
  Server,
  ServerTest,
  TrustState,
  WorkbenchEvent,
} from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import { asFailure } from '../http/answer-failure.ts';
import { etagOf } from '../notes/note-text.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

type ServerMonitorPorts = Pick<WorkbenchPorts, 'host' | 'settings' | 'trust' | 'connectors'> & {
  readonly feed: (event: WorkbenchEvent) => void;
};

/** Describes the servers, publishes their changes to pages, and runs their tests. */
export class ServerMonitor implements AsyncDisposable {
  readonly #ports: ServerMonitorPorts;
  readonly #tests: ServerTests;
  readonly #throttle = new Throttle(warnOfFault);
  #publishedTrust: string;

  constructor(ports: ServerMonitorPorts) {
    this.#ports = ports;
    this.#tests = new ServerTests(ports);
    this.#tests.subscribe((serverId) => this.publish(serverId));
    this.#publishedTrust = JSON.stringify(this.trustState);
  }

  list(): readonly Server[] {
    return this.#ports.host.servers.snapshots().map((snapshot) => this.#show(snapshot));
  }

  describe({ id }: Pick<ServerConfig, 'id'>): Server {
    return this.#show(this.#ports.host.servers.snapshot(id));
  }

  get trustState(): TrustState {
    const { host, trust } = this.#ports;
    const pending = host.servers.list().flatMap((server): readonly PendingServer[] => {
      const { id, name } = server;
      const { verdict, mayStart, claims } = serverApproval(this.#ports, server);
      const ask = (why: PendingServer['verdict'], does: readonly string[]) => [
        { id, name, verdict: why, does, seen: etagOf(JSON.stringify([id, name, does])) },
      ];
      if (!mayStart && verdict !== 'trusted') return ask(verdict, trust.show(server).does);
      return claims.length === 0 ? [] : ask('tools', claims);
    });
    return { pending };
  }

  readonly follow = (event: HostEvent): void => {
    switch (event.kind) {
      case 'server-changed':
        this.publish(event.snapshot.config.id);
        return;
      case 'hints-changed':
        this.publishTrust();
        return;
      case 'tools-changed':
        this.#ports.feed({ kind: 'tools-changed', serverId: event.serverId });
        return;
      case 'settings-changed':
        this.#ports.feed({ kind: 'servers-changed', servers: this.list() });
        this.publishTrust();
        return;
    }
  };

  /** Publishes a server's state, at most so often. */
  publish(serverId: string): void {
    this.#throttle.run(serverId, () => {
      // By then it may have been removed.
      const server = this.#ports.host.servers.list().find(({ id }) => id === serverId);
      if (server) this.#ports.feed({ kind: 'server-changed', server: this.describe(server) });
      // A start may have found that a file of the vault is not the approved one.
      this.publishTrust();
    });
  }

  /** Publishes which servers wait for approval, if that changed. */
  publishTrust(): void {
    const trust = this.trustState;
    const seen = JSON.stringify(trust);
    if (seen === this.#publishedTrust) return;
    this.#publishedTrust = seen;
    this.#ports.feed({ kind: 'trust-changed', trust });
  }

  /** Starts a test of a server; with `enables`, the server is enabled when the test succeeds. */
  test(server: ServerConfig, { enables = false } = {}): void {
    const refusal = this.#ports.trust.mayStart(server);
    if (refusal !== undefined) throw refusal;
    void this.#tests.begin(server, { enables });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#throttle[Symbol.dispose]();
    await this.#tests[Symbol.asyncDispose]();
  }

  #show({ config, ...condition }: ServerSnapshot): Server {
    const { id, name, transport, deploymentType } = config;
    const summary = describeLaunch(config)[0] ?? '';
    return { ...condition, id, name, transport, deploymentType, summary, test: this.#testOf(id) };
  }

  #testOf(id: string): ServerTest | null {
    const test = this.#tests.of(id);
    if (test === undefined) return null;
    const { isRunning, startedAt, steps, tools, error } = test;
    return {
      isRunning,
      startedAt,
      steps,
      tools: tools ?? null,
      error: error === undefined ? null : asFailure(error),
    };
  }
}
