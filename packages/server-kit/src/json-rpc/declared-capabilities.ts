import { CLIENT_CAPABILITIES_META_KEY, type JSONRPCRequest } from '@modelcontextprotocol/server';

/** What a client says it can do: in its handshake, or since 2026-07-28 in each request. */
export function declaredCapabilities({
  method,
  params,
}: JSONRPCRequest): Readonly<Record<string, unknown>> | undefined {
  const declared: unknown =
    method === 'initialize' ? params?.capabilities : params?._meta?.[CLIENT_CAPABILITIES_META_KEY];
  const isObject = typeof declared === 'object' && declared !== null;
  return isObject ? (declared as Readonly<Record<string, unknown>>) : undefined;
}
