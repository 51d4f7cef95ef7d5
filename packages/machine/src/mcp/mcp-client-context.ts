import type { Elicitor, Notifier } from '@errand/host';
import type { Era } from '@errand/wire';

/** What a host brings into every connection. */
export interface McpClientContext {
  /** Who we say we are. */
  readonly name: string;
  readonly version: string;
  /** The vault's folder: the root that servers may ask for, and where relative paths begin. */
  readonly vaultFolder: string;
  /** The era each server was last spoken to in, by server id; a `Map` will do. */
  readonly eras: Pick<Map<string, Era>, 'get' | 'set'>;
  readonly notifier: Notifier;
  /** Without it servers are told that nobody can be asked. */
  readonly elicitor?: Elicitor;
  /** Calls may bring a person or a model that can be asked, so servers are told that they may ask. */
  readonly hasAskers?: boolean;
}
