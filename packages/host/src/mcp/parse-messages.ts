import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** The JSON-RPC messages in a text; nothing when it is something else. */
export function parseMessages(text: string): JSONRPCMessage[] | undefined {
  try {
    // One revision of the protocol knew batches.
    const values = [JSON.parse(text)].flat() as unknown[];
    return values.every(isMessage) ? values : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  );
}
