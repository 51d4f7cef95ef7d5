import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { carryResult } from './as-it-came.ts';

/**
 * Hands a message from a server to the SDK. Answers go a moment later: the SDK hears progress a moment
 * late, and would not know any more whose it is when the answer came right behind it.
 */
export function handOver(transport: Transport, message: JSONRPCMessage): void {
  if ('method' in message) transport.onmessage?.(message);
  else queueMicrotask(() => transport.onmessage?.(carryResult(message)));
}
