import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';

/** The first of the codes that JSON-RPC leaves to servers. */
export const serverError = -32_000;

/** An error response; without an id it says `null`, as JSON-RPC wants when none could be read. */
export function errorReply(
  id: RequestId | undefined,
  code: number,
  message: string,
): JSONRPCErrorResponse {
  const reply = { jsonrpc: '2.0' as const, id: id ?? null, error: { code, message } };
  // The SDK's type knows an absent id only; on the wire JSON-RPC asks for null.
  return reply as unknown as JSONRPCErrorResponse;
}
