import { type Era, type JsonObject, type RpcError, rpcCode } from '@errand/wire';
import type { AskClient } from './client-caller.ts';
import type { WatchedResources } from './resource-subscriptions.ts';

/** One request under way: in whose name, and how its client is reached until it is answered. */
export interface Exchange {
  readonly era: Era;
  /** The executor's session (D6). */
  readonly sessionId: string;
  /** The query of the client's address, without the question mark. */
  readonly query: string;
  /** Fires when the client no longer wants the answer. */
  readonly signal: AbortSignal;
  /** What the client says it can do. */
  readonly capabilities: JsonObject;
  /** Puts a question to the client before the answer; only the older era has that. */
  readonly ask?: AskClient;
  /** The resources that the client follows; only the older era remembers them between requests. */
  readonly watched?: WatchedResources;
  /** Sends a message that belongs to this request; one that cannot be taken now is dropped. */
  notify(line: string): void;
}

/** What a method came to: a result that is JSON text already, or an error. */
export type Reply = { readonly resultText: string } | { readonly error: RpcError };

export function invalidParams(problem: string): Reply {
  return { error: { code: rpcCode.invalidParams, message: `Invalid params: ${problem}` } };
}
