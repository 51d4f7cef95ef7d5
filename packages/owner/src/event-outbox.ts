import { setImmediate } from 'node:timers';
import type { Host, HostEvent } from '@errand/host';
import type { SentEvent, ServerState, ServerTools } from './protocol.ts';
import { infoOf } from './rpc-peer.ts';
import { sentOutcome } from './sent-outcome.ts';

/** What happens in a host, on its way to a face: everything of one turn of the event loop in one message. */
export class EventOutbox implements Disposable {
  readonly #host: Host;
  readonly #isWatching: boolean;
  readonly #send: (events: readonly SentEvent[]) => void;
  readonly #unsubscribe: () => void;
  /** The tools that were sent last, by server. */
  readonly #sentTools = new Map<string, unknown>();
  readonly #sessions = new Set<string>();
  #waiting: SentEvent[] = [];

  /** Who does not watch hears of servers and settings, and of its own sessions. */
  constructor(host: Host, isWatching: boolean, send: (events: readonly SentEvent[]) => void) {
    this.#host = host;
    this.#isWatching = isWatching;
    this.#send = send;
    this.#unsubscribe = host.events.subscribe((event) => this.#add(this.#sent(event)));
  }

  /** Sends what waits, so that an answer never comes before what led to it. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#send(events);
  }

  followSession(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  serverStates(): readonly ServerState[] {
    const { servers } = this.#host;
    return servers.snapshots().map((snapshot) => {
      return { snapshot, progress: servers.progress(snapshot.config.id) };
    });
  }

  allTools(): readonly ServerTools[] {
    return this.#host.servers.list().flatMap(({ id }) => this.#newTools(id));
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  #add(events: readonly SentEvent[]): void {
    if (events.length === 0) return;
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push(...events);
  }

  #sent(event: HostEvent): readonly SentEvent[] {
    const { servers, sessions } = this.#host;
    switch (event.kind) {
      case 'settings-changed': {
        const { settings } = servers;
        // The settings also say which tools of a server there are.
        const tools = servers.list().flatMap(({ id }) => this.#toolEvents(id));
        return [...tools, { kind: 'settings-changed', settings, servers: this.serverStates() }];
      }
      case 'server-changed': {
        const { id } = event.snapshot.config;
        // One that was removed ends after the settings that no longer name it were sent.
        if (servers.find(id) === undefined) return [];
        return [...this.#toolEvents(id), { ...event, progress: servers.progress(id) }];
      }
      case 'server-connected':
      case 'tools-changed':
        return [...this.#toolEvents(event.serverId), event];
      case 'calls-stopped':
        return [{ kind: event.kind, reason: infoOf(event.reason) }];
      case 'session-changed': {
        const { sessionId } = event;
        if (!this.#isWatching && !this.#sessions.has(sessionId)) return [];
        return [{ kind: 'session-usage', sessionId, usage: sessions.usage(sessionId) }];
      }
      case 'call-finished':
        return this.#isWatching ? [{ ...event, outcome: sentOutcome(event.outcome) }] : [];
      case 'call-queued':
      case 'call-started':
      case 'call-progress':
        return this.#isWatching ? [event] : [];
      default:
        return [event];
    }
  }

  #toolEvents(serverId: string): readonly SentEvent[] {
    return this.#newTools(serverId).map((tools) => ({ kind: 'tools', ...tools }));
  }

  #newTools(serverId: string): readonly ServerTools[] {
    // One that was removed meanwhile has none.
    if (!this.#isWatching || this.#host.servers.find(serverId) === undefined) return [];
    const tools = this.#host.servers.lastTools(serverId);
    if (tools === undefined || this.#sentTools.get(serverId) === tools) return [];
    this.#sentTools.set(serverId, tools);
    return [{ serverId, tools: [...tools.values()] }];
  }
}
