import type { Host, ToolDescription } from '@errand/host';

/** The tools of servers as they were listed last, also while a server is not connected. Nothing is started. */
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
