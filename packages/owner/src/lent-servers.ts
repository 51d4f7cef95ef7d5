import { type Host, HostError, type LentServer } from '@errand/host';
import type { FaceMethods, OwnerMethods } from './protocol.ts';
import type { Methods, RpcPeer } from './rpc-peer.ts';

type LendingMethods = Pick<Methods<OwnerMethods>, 'lend' | 'withdraw' | 'lent-tools-changed'>;
type LentMethods = Pick<Methods<FaceMethods>, 'lent-tools' | 'lent-call'>;

/** The servers that an attached face lends, on the owner's side. */
export class BorrowedServers implements Disposable {
  readonly #lent = new Map<number, { readonly lease: Disposable; readonly onChange: () => void }>();
  #isOpen = true;

  /** What the face asks. */
  methods(
    host: Pick<Host, 'servers'>,
    peer: () => RpcPeer<FaceMethods, OwnerMethods>,
  ): LendingMethods {
    return {
      lend: async ({ lent, id, name }) => {
        const listeners = new Set<() => void>();
        const lease = await host.servers.lend({
          id,
          name,
          listTools: async (signal) =>
            (await peer().request('lent-tools', { lent }, { signal })).tools,
          callTool: (toolCall, signal) =>
            peer().request('lent-call', { lent, toolCall }, { signal }),
          onToolsChanged: (listener) => void listeners.add(listener),
        });
        const onChange = () => {
          for (const listener of listeners) listener();
        };
        if (this.#isOpen) this.#lent.set(lent, { lease, onChange });
        else lease[Symbol.dispose]();
      },
      withdraw: ({ lent }) => {
        this.#lent.get(lent)?.lease[Symbol.dispose]();
        this.#lent.delete(lent);
      },
      'lent-tools-changed': ({ lent }) => this.#lent.get(lent)?.onChange(),
    };
  }

  /** Takes all of them back: the face has gone. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    for (const { lease } of this.#lent.values()) lease[Symbol.dispose]();
    this.#lent.clear();
  }
}

/** The servers that this face lends to the owner. */
export class LendingFace {
  readonly #servers = new Map<number, LentServer>();
  #last = 0;

  /** What the owner asks. */
  readonly methods: LentMethods = {
    'lent-tools': async ({ lent }, { signal }) => ({
      tools: await this.#server(lent).listTools(signal),
    }),
    'lent-call': ({ lent, toolCall }, { signal }) => this.#server(lent).callTool(toolCall, signal),
  };

  async lend(server: LentServer, peer: RpcPeer<OwnerMethods, FaceMethods>): Promise<Disposable> {
    this.#last += 1;
    const lent = this.#last;
    this.#servers.set(lent, server);
    const withdraw = () => {
      if (this.#servers.delete(lent)) peer.notify('withdraw', { lent });
    };
    server.onToolsChanged?.(() => peer.notify('lent-tools-changed', { lent }));
    try {
      await peer.request('lend', { lent, id: server.id, name: server.name });
    } catch (error) {
      this.#servers.delete(lent);
      throw error;
    }
    return { [Symbol.dispose]: withdraw };
  }

  #server(lent: number): LentServer {
    const server = this.#servers.get(lent);
    if (server !== undefined) return server;
    throw new HostError('server_unknown', 'The program does not lend this server any more.');
  }
}
