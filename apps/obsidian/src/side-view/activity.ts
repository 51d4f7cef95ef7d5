import { type Host, type HostEvent, NoteSessions, type Notifier, type Trust } from '@errand/host';
import { viewServer } from '@errand/workspace/forms';
import type { ServerTests } from '@errand/workspace/servers';
import { type ServerWords, sessionName } from '@errand/workspace/words';
import type { OpenVault } from '../open-vault.ts';
import { serverWords } from '../words/server-words.ts';
import { ActiveCalls } from './active-calls.ts';

export type ActivityChange = 'servers' | 'calls';

/** What goes on in a vault, for those who show it. */
export class Activity implements Disposable {
  readonly calls: ActiveCalls;
  readonly sessions: NoteSessions;
  readonly #host: Host;
  readonly #tests: ServerTests;
  readonly #trust: Trust;
  readonly #steps = new Map<string, { readonly name: string; readonly detail?: string }>();
  readonly #listeners = new Set<(change: ActivityChange) => void>();
  readonly #unsubscribe: () => void;

  constructor(
    { host, trust, tests }: Pick<OpenVault, 'host' | 'trust' | 'tests'>,
    notifier: Notifier,
  ) {
    this.#host = host;
    this.#trust = trust;
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
  stateOf(serverId: string): ServerWords {
    const { server } = this.#host.servers.runner(serverId);
    const ports = { host: this.#host, trust: this.#trust };
    const view = viewServer(server, ports, this.#steps.get(serverId));
    return serverWords(view, this.#tests.of(serverId));
  }

  /** Servers that are lost, or were given up. */
  troubled(): readonly string[] {
    const { servers } = this.#host;
    return servers
      .list()
      .filter(
        ({ id, autoDisabled }) => autoDisabled || servers.health(id).connectionState === 'error',
      )
      .map(({ name }) => name);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  #follow(event: HostEvent): void {
    this.calls.follow(event, Date.now());
    if (event.kind === 'server-step') this.#steps.set(event.serverId, event.step);
    else if ('serverId' in event) this.#forgetStep(event.serverId);
    if (event.kind === 'settings-changed') this.sessions.tellAll();
    if (event.kind === 'call-started') this.sessions.count(event.request.sessionId);
    this.#tell('serverId' in event || event.kind === 'settings-changed' ? 'servers' : 'calls');
  }

  #forgetStep(serverId: string): void {
    const isKnown = this.#host.servers.find(serverId) !== undefined;
    const isOnItsWay =
      isKnown && this.#host.servers.health(serverId).connectionState === 'connecting';
    if (!isOnItsWay) this.#steps.delete(serverId);
  }

  #tell(change: ActivityChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
