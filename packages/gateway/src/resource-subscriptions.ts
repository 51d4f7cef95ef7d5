import { notificationLine } from '@errand/wire';
import type { GatewayContent } from './gateway-host.ts';
import type { ContentRoute } from './route-content.ts';

/** Sends a message to a client that has subscribed. */
type Send = (line: string) => void;

interface Following {
  readonly route: ContentRoute;
  /** The address that the client knows the resource by. */
  readonly uri: string;
  readonly send: Send;
  readonly meta: object;
  /** The connection that the server was told on. */
  connection: number | undefined;
  lease: Disposable | undefined;
}

/** The resources that clients follow; a server that comes back is told again. */
export class ResourceSubscriptions implements Disposable {
  readonly #content: GatewayContent;
  readonly #following = new Set<Following>();
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;

  constructor(content: GatewayContent) {
    this.#content = content;
    this.#stopListening = content.onChanged((serverId, change) => {
      if (change === undefined) this.#renew();
      else if (change.kind === 'resource') this.#pass(serverId, change.uri);
    });
  }

  /** Tells a client of changes until the answer is disposed of; rejects when the server refuses. */
  async follow(route: ContentRoute, uri: string, send: Send, meta = {}): Promise<Disposable> {
    const { server } = route;
    const following: Following = {
      ...{ route, uri, send, meta },
      connection: server.connection,
      lease: undefined,
    };
    following.lease = await this.#subscribe(following);
    this.#following.add(following);
    return {
      [Symbol.dispose]: () => {
        if (this.#following.delete(following)) following.lease?.[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    this.#closing.abort();
    this.#following.clear();
  }

  #subscribe({ route: { server, key } }: Following): Promise<Disposable> {
    return this.#content.subscribe(server.id, key, this.#closing.signal);
  }

  #pass(serverId: string | undefined, changed: string): void {
    for (const { route, uri, send, meta } of this.#following) {
      // A server may name a part of what was subscribed to.
      if (route.server.id !== serverId || !changed.startsWith(route.key)) continue;
      const named = changed === route.key ? uri : changed;
      send(notificationLine('notifications/resources/updated', { uri: named, ...meta }));
    }
  }

  #renew(): void {
    if (this.#following.size === 0) return;
    const connections = new Map(this.#content.servers().map((one) => [one.id, one.connection]));
    for (const following of this.#following) {
      const connection = connections.get(following.route.server.id);
      if (connection === undefined || connection === following.connection) continue;
      following.connection = connection;
      this.#subscribe(following)
        .then((lease) => {
          if (!this.#following.has(following)) return lease[Symbol.dispose]();
          following.lease = lease;
          // It may have changed while nobody listened.
          this.#pass(following.route.server.id, following.route.key);
        })
        .catch(() => undefined);
    }
  }
}

/** More than this of one client are forgotten ones. */
const maxWatched = 1_000;

/** The resources that one client of the older era follows. */
export class WatchedResources implements Disposable {
  readonly #send: Send;
  readonly #watched = new Map<string, Disposable>();

  constructor(send: Send) {
    this.#send = send;
  }

  async add(uri: string, follow: (send: Send) => Promise<Disposable>): Promise<void> {
    if (this.#watched.has(uri)) return;
    this.#watched.set(uri, await follow(this.#send));
    const [oldest = ''] = this.#watched.keys();
    if (this.#watched.size > maxWatched) this.remove(oldest);
  }

  remove(uri: string): void {
    this.#watched.get(uri)?.[Symbol.dispose]();
    this.#watched.delete(uri);
  }

  [Symbol.dispose](): void {
    for (const uri of [...this.#watched.keys()]) this.remove(uri);
  }
}
