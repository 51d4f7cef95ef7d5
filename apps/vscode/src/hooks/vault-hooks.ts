import type { HookEngineEvent, HooksMethods } from '@errand/hooks';
import { HostError, Listeners, type OnFault } from '@errand/host';
import type { SharedHost } from '@errand/owner';
import type { JsonObject } from '@errand/wire';
import { Throttle } from '@errand/workspace/events';

/** The hooks of a vault, asked of the program that owns it, which may be this one. */
export class VaultHooks implements Disposable {
  readonly #sharing: SharedHost;
  readonly #changes: Listeners<void>;
  readonly #throttle: Throttle;
  readonly #unsubscribe: readonly (() => void)[];
  #list: Promise<HooksMethods['list']['result']> | undefined;

  constructor(sharing: SharedHost, onFault: OnFault) {
    this.#sharing = sharing;
    this.#changes = new Listeners(onFault);
    this.#throttle = new Throttle(onFault);
    this.#unsubscribe = [
      sharing.serviceEvents.subscribe(({ service, event }) => {
        if (service === 'hooks' && isChange(event as unknown as HookEngineEvent)) this.#change();
      }),
      // Also told when another program became the owner.
      sharing.events.subscribe(({ kind }) => {
        if (kind === 'settings-changed' || kind === 'server-changed') this.#change();
      }),
    ];
  }

  /** Calls back when hooks, their runs or what they depend on changed, in whichever program. */
  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** All hooks as they are now; asked once until something changes. */
  list(): Promise<HooksMethods['list']['result']> {
    const list = this.#list ?? this.ask('list', {});
    this.#list = list;
    list.catch(() => {
      if (this.#list === list) this.#list = undefined;
    });
    return list;
  }

  async ask<Method extends keyof HooksMethods>(
    method: Method,
    params: HooksMethods[Method]['params'],
    signal?: AbortSignal,
  ): Promise<HooksMethods[Method]['result']> {
    const request = { service: 'hooks', method, params: params as JsonObject };
    const reply = await this.#sharing.request(request, signal);
    if (reply !== undefined) return reply.value as HooksMethods[Method]['result'];
    const message =
      'Hooks run in the program that owns the vault, and this window could not become its owner. The log says why.';
    throw new HostError('settings_invalid', message);
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#throttle[Symbol.dispose]();
  }

  #change(): void {
    this.#list = undefined;
    this.#throttle.run('changed', () => this.#changes.emit());
  }
}

function isChange({ kind }: HookEngineEvent): boolean {
  return kind === 'hooks-changed' || kind === 'run-changed';
}
