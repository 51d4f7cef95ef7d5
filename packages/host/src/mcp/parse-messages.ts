import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** The JSON-RPC messages in a text; nothing when it is something else. */
export function parseMessages(text: string): JSONRPCMessage[] | undefined {
  try {
    // One revision of the protocol knew batches.
    const value: unknown = JSON.parse(text);
    if (isMessage(value)) return [value];
    return Array.isArray(value) && value.every(isMessage) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  );
}
