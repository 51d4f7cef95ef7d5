import type { IncomingHttpHeaders } from 'node:http';
import {
  decodeHeaderValue,
  isRecord,
  type JsonObject,
  type RpcError,
  type RpcRequest,
  rpcCode,
  wrongParamHeader,
} from '@errand/wire';
import { metaKey, modernVersions } from './protocol.ts';

/** Whether a message claims to carry its own version, as those of the newer era do. */
export function claimsVersion(params: JsonObject): boolean {
  return metaOf(params)[metaKey.protocolVersion] !== undefined;
}

/** What is wrong with the entries that every request of the newer era must carry. */
export function envelopeError({ params }: RpcRequest): RpcError | undefined {
  const meta = metaOf(params);
  const version = meta[metaKey.protocolVersion];
  if (typeof version !== 'string') return missing(metaKey.protocolVersion, 'a version');
  if (!isRecord(meta[metaKey.clientCapabilities])) {
    return missing(metaKey.clientCapabilities, 'an object');
  }
  return modernVersions.includes(version) ? undefined : unsupportedVersion(version);
}

export function unsupportedVersion(requested: string): RpcError {
  return {
    code: rpcCode.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}. There is: ${modernVersions.join(', ')}`,
    data: { supported: modernVersions, requested: requested.slice(0, 100) },
  };
}

/** What is wrong with a request over HTTP, whose headers must say what its body says. */
export function modernRequestError(
  request: RpcRequest,
  headers: IncomingHttpHeaders,
  inputSchema: (tool: string) => JsonObject | undefined,
): RpcError | undefined {
  const version = metaOf(request.params)[metaKey.protocolVersion];
  const isVersionSent =
    typeof version === 'string' && headers['mcp-protocol-version'] !== undefined;
  return (
    (isVersionSent ? differs(headers, 'mcp-protocol-version', version) : undefined) ??
    envelopeError(request) ??
    differs(headers, 'mcp-protocol-version', version) ??
    differs(headers, 'mcp-method', request.method) ??
    (request.method === 'tools/call'
      ? callError(request.params, headers, inputSchema)
      : nameError(request, headers))
  );
}

/** Requests that name a prompt or a resource say its name in a header too. */
function nameError({ method, params }: RpcRequest, headers: IncomingHttpHeaders) {
  const name =
    method === 'prompts/get' ? params.name : method === 'resources/read' ? params.uri : undefined;
  return typeof name === 'string' ? differs(headers, 'mcp-name', name) : undefined;
}

function callError(
  { name, arguments: given }: JsonObject,
  headers: IncomingHttpHeaders,
  inputSchema: (tool: string) => JsonObject | undefined,
): RpcError | undefined {
  if (typeof name !== 'string') return undefined;
  const wrongName = differs(headers, 'mcp-name', name);
  const schema = inputSchema(name);
  if (wrongName !== undefined || schema === undefined || !isRecord(given)) return wrongName;
  const wrong = wrongParamHeader(schema, given, headers);
  return wrong === undefined ? undefined : mismatch(wrong);
}

function differs(headers: IncomingHttpHeaders, name: string, expected: unknown) {
  const sent = headers[name];
  if (sent === undefined) return mismatch(`the header ${name} is missing`);
  const value = name === 'mcp-name' ? decodeHeaderValue(String(sent)) : sent;
  if (value === expected) return undefined;
  return mismatch(`the header ${name} says "${sent}", the body "${expected}"`);
}

function mismatch(problem: string): RpcError {
  return { code: rpcCode.headerMismatch, message: `Header mismatch: ${problem}.` };
}

function missing(key: string, expected: string): RpcError {
  const message = `Invalid params: "_meta" must have "${key}", ${expected}.`;
  return { code: rpcCode.invalidParams, message };
}

function metaOf(params: JsonObject): JsonObject {
  return isRecord(params._meta) ? params._meta : {};
}
