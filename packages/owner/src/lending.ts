import type { Host, LentServer, OnFault } from '@errand/host';
import { PeerGone } from './rpc-peer.ts';

/** What one program lends, to whichever program owns the vault. */
export class Lending {
  readonly #onFault: OnFault;
  /** With the way to withdraw each from the present owner. */
  readonly #lent = new Map<LentServer, Disposable | undefined>();

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  async lend(server: LentServer, { servers }: Pick<Host, 'servers'>): Promise<Disposable> {
    this.#lent.set(server, await servers.lend(server));
    return {
      [Symbol.dispose]: () => {
        this.#lent.get(server)?.[Symbol.dispose]();
        this.#lent.delete(server);
      },
    };
  }

  /** Lends everything again after a change of the owner. */
  lendAgain(host: Pick<Host, 'servers'>): void {
    for (const server of this.#lent.keys()) void this.#lendTo(server, host);
  }

  async #lendTo(server: LentServer, { servers }: Pick<Host, 'servers'>): Promise<void> {
    this.#lent.set(server, undefined);
    try {
      const lease = await servers.lend(server);
      if (this.#lent.has(server)) this.#lent.set(server, lease);
      else lease[Symbol.dispose]();
    } catch (error) {
      // With the next owner it is lent again.
      if (!(error instanceof PeerGone)) this.#onFault(error);
    }
  }
}
