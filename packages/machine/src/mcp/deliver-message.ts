import { catchFaults, type OnFault } from '@errand/host';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { wrapRawResult } from './raw-result.ts';

/**
 * Hands a message from a server to the SDK. Answers go a moment later: the SDK hears progress a moment
 * late, and would not know any more whose it is when the answer came right behind it. A message that the
 * SDK fails on ends the connection, unless the caller knows better.
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
