import { HostError } from '@errand/host';
import { type JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/client';

/** An error response made on this side for a request that cannot be answered; it carries the reason. */
export function refusal(id: string | number, reason: HostError): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32603, message: reason.message, data: reason } };
}

/** The reason that a refusal carried through the SDK. */
export function reasonOfRefusal(error: unknown): HostError | undefined {
  return error instanceof ProtocolError && error.data instanceof HostError ? error.data : undefined;
}
