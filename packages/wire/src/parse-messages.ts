import { isRecord, type JsonObject } from './is-record.ts';
import { jsonExcess } from './json-excess.ts';
import type { RequestId, RpcError } from './json-rpc.ts';
import { readError } from './read-message.ts';

/** A message of a server. Its parameters and its result are not checked further. */
type ServerMessage =
  | {
      readonly jsonrpc: '2.0';
      readonly id?: RequestId;
      readonly method: string;
      readonly params?: Record<string, unknown>;
    }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: Record<string, unknown> }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly error: RpcError };

/**
 * The JSON-RPC messages in a text of a server; undefined when it holds something else, or more than is taken.
 * Reads more than `readMessage` allows: a server that answers oddly has still answered.
 */
export function parseMessages(text: string): ServerMessage[] | undefined {
  if (jsonExcess(text) !== undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // One revision of the protocol had batches.
  if (!Array.isArray(value)) {
    const message = readServerMessage(value);
    return message && [message];
  }
  const messages = value.map(readServerMessage).filter((message) => message !== undefined);
  return messages.length > 0 || value.length === 0 ? messages : undefined;
}

function readServerMessage(value: unknown): ServerMessage | undefined {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return undefined;
  if ('method' in value) return hasRequestFields(value) ? (value as ServerMessage) : undefined;
  if (!isServerId(value.id)) return undefined;
  if ('result' in value) return value as ServerMessage;
  return { jsonrpc: '2.0', id: value.id, error: readError(value.error) };
}

function hasRequestFields({ id, method, params }: JsonObject): boolean {
  return (
    typeof method === 'string' &&
    (id === undefined || isServerId(id)) &&
    (params === undefined || isRecord(params))
  );
}

function isServerId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
