import { guarded, type OnFault } from './guarded.ts';
import type { HostError } from './host-error.ts';
import type { ServerSnapshot } from './registry/server-snapshot.ts';
import type { CallOutcome, ToolInvocationRequest } from './tool-invocation.ts';

/** What happens in a host, for those who show it. */
export type HostEvent =
  /** Anything about how this server is changed. */
  | { readonly kind: 'server-changed'; readonly snapshot: ServerSnapshot }
  | { readonly kind: 'server-connected'; readonly serverId: string }
  | { readonly kind: 'server-lost'; readonly serverId: string }
  | { readonly kind: 'tools-changed'; readonly serverId: string }
  /** The tools of this server claim more than when it was agreed to. */
  | { readonly kind: 'hints-changed'; readonly serverId: string }
  /** The list of servers, or a setting, is another. */
  | { readonly kind: 'settings-changed' }
  | { readonly kind: 'call-queued'; readonly request: ToolInvocationRequest }
  | { readonly kind: 'call-started'; readonly request: ToolInvocationRequest }
  | {
      readonly kind: 'call-finished';
      readonly request: ToolInvocationRequest;
      readonly outcome: CallOutcome;
    }
  | { readonly kind: 'calls-stopped'; readonly reason: HostError }
  | { readonly kind: 'calls-resumed' };

/** Hands every event to every listener; a listener that throws does not keep it from the others. */
export class HostEvents {
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #onFault: OnFault;

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: HostEvent) => void): () => void {
    const own = guarded(listener, this.#onFault);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  emit(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
