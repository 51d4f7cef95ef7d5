import type { Incoming, InvalidMessage, RequestId } from '@errand/wire';
import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/server';

/** What could be read as a message. */
export type ReadableMessage = Exclude<Incoming, InvalidMessage>;

/** Builds an error response; the id is null where none could be read. */
export function errorReply(
  id: RequestId | null,
  code: number,
  message: string,
): JSONRPCErrorResponse {
  // The SDK's type allows an absent id only; on the wire JSON-RPC asks for null.
  return { jsonrpc: '2.0', id, error: { code, message } } as unknown as JSONRPCErrorResponse;
}

/** Builds the error response to what is no message. */
export function replyTo({ id, error }: InvalidMessage): JSONRPCErrorResponse {
  return errorReply(id, error.code, error.message);
}

/**
 * A value that was read as a message, for the SDK. Of a response without a proper result it gets a proper error:
 * the SDK would take the response for no message, and wait on.
 */
export function asSdkMessage(value: unknown, incoming: ReadableMessage): JSONRPCMessage {
  if (incoming.kind !== 'response' || incoming.error === undefined) return value as JSONRPCMessage;
  const { id, error } = incoming;
  return { jsonrpc: '2.0', ...(id !== null && { id }), error } as JSONRPCMessage;
}
