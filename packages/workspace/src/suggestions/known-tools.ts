import type { Host, ToolDescription } from '@errand/host';

/** The last known tool list of each server, kept while it is disconnected or disabled. It never starts a server. */
export class KnownTools implements Disposable {
  readonly #host: Pick<Host, 'servers' | 'events'>;
  readonly #last = new Map<string, readonly ToolDescription[]>();
  readonly #unsubscribe: () => void;

  constructor(host: Pick<Host, 'servers' | 'events'>) {
    this.#host = host;
    this.#unsubscribe = host.events.subscribe((event) => {
      if (event.kind === 'server-connected' || event.kind === 'tools-changed') {
        this.of(event.serverId);
      }
    });
  }

  of(serverId: string): readonly ToolDescription[] {
    const now = this.#host.servers.knownTools(serverId);
    if (now.length > 0) this.#last.set(serverId, now);
    return (this.#last.get(serverId) ?? []).filter(({ broken }) => broken === undefined);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }
}
