import { type Host, type HostEvent, NoteSessions, type Notifier } from '@errand/host';
import type { ServerTests, StateDescription } from '@errand/workspace/servers';
import { sessionName } from '@errand/workspace/words';
import type { OpenVault } from '../open-vault.ts';
import { describeState } from '../words/describe-state.ts';
import { ActiveCalls } from './active-calls.ts';

export type ActivityChange = 'servers' | 'calls';

/** What goes on in a vault, for those who show it. */
export class Activity implements Disposable {
  readonly calls: ActiveCalls;
  readonly sessions: NoteSessions;
  readonly #host: Host;
  readonly #tests: ServerTests;
  readonly #listeners = new Set<(change: ActivityChange) => void>();
  readonly #unsubscribe: () => void;

  constructor({ host, tests }: Pick<OpenVault, 'host' | 'tests'>, notifier: Notifier) {
    this.#host = host;
    this.calls = new ActiveCalls(host);
    this.sessions = new NoteSessions(host, {
      onChange: () => this.#tell('calls'),
      onNear: (use) =>
        notifier.notify({
          level: 'warning',
          message: `${use.executed} of ${use.limit} calls of ${sessionName(use)} are used`,
          detail:
            'Run the command “Errand: Reset session limits”, or raise the limit in the settings of Errand, to make more.',
        }),
    });
    this.#tests = tests;
    const unsubscribe = [
      tests.subscribe(() => this.#tell('servers')),
      host.events.subscribe((event) => this.#follow(event)),
    ];
    this.#unsubscribe = () => {
      for (const each of unsubscribe) each();
    };
  }

  /** Calls back whenever there is something new to show. */
  subscribe(listener: (change: ActivityChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How a server is, in words. */
  stateOf(serverId: string): StateDescription {
    return describeState(this.#host.servers.snapshot(serverId), this.#tests.of(serverId));
  }

  /** Servers that are lost, or were given up. */
  troubled(): readonly string[] {
    return this.#host.servers
      .snapshots()
      .filter(({ autoDisabled, connectionState }) => autoDisabled || connectionState === 'error')
      .map(({ config }) => config.name);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  #follow(event: HostEvent): void {
    this.calls.follow(event, Date.now());
    if (event.kind === 'settings-changed') this.sessions.tellAll();
    if (event.kind === 'call-started') this.sessions.count(event.request.sessionId);
    this.#tell(/^(?:server|tools|hints|settings)-/.test(event.kind) ? 'servers' : 'calls');
  }

  #tell(change: ActivityChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
