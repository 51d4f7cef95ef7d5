import { catchFaults, type OnFault } from '@errand/host';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { wrapRawResult } from './raw-result.ts';

/**
 * Delivers a server's message to the SDK. Responses are deferred by a microtask: the SDK handles progress
 * asynchronously and would drop it if the response came right behind it. By default a message that the SDK
 * fails on closes the connection.
 */
export function deliverMessage(
  transport: Transport,
  message: JSONRPCMessage,
  onFault: OnFault = () => transport.close(),
): void {
  const take = catchFaults((taken: JSONRPCMessage) => transport.onmessage?.(taken), onFault);
  if ('method' in message) take(message);
  else queueMicrotask(catchFaults(() => take(wrapRawResult(message)), onFault));
}
