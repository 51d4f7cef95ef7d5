import type { Elicitor, Notifier } from '@errand/host';
import type { Era } from '@errand/wire';

/** What every MCP connection of a host shares. */
export interface McpClientContext {
  /** The client name and version of the handshake. */
  readonly name: string;
  readonly version: string;
  /** The vault's folder: the root that servers may ask for, and where relative paths begin. */
  readonly vaultFolder: string;
  /** The protocol era last used with each server, by server id. */
  readonly eras: Pick<Map<string, Era>, 'get' | 'set'>;
  readonly notifier: Notifier;
  /** Without it, servers learn that elicitation is not supported. */
  readonly elicitor?: Elicitor;
  /** Callers may be able to answer questions, so elicitation and sampling are announced to servers. */
  readonly canAskCallers?: boolean;
}
