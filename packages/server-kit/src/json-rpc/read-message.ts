import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCErrorResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';
import { errorReply } from './error-reply.ts';

/** What one JSON value is as a message of JSON-RPC 2.0 in the shape MCP allows. */
export type Inbound =
  | { readonly kind: 'request'; readonly message: JSONRPCRequest }
  | { readonly kind: 'notification'; readonly message: JSONRPCNotification }
  | { readonly kind: 'response'; readonly message: JSONRPCResponse }
  | { readonly kind: 'invalid'; readonly reply: JSONRPCErrorResponse }
  /** A broken response: to answer an answer could go on for ever. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Reads a parsed JSON value as a message, or says what is wrong with it. */
export function readMessage(value: unknown): Inbound {
  if (!isObject(value)) return invalid(undefined, 'A message must be a JSON object');
  if (!('method' in value) && ('result' in value || 'error' in value)) return readResponse(value);
  const id = isRequestId(value.id) ? value.id : undefined;
  if (value.jsonrpc !== '2.0') return invalid(id, 'The member "jsonrpc" must be "2.0"');
  if (typeof value.method !== 'string') return invalid(id, 'The member "method" must be a string');
  if ('id' in value && id === undefined) {
    return invalid(undefined, 'The member "id" must be a string or a whole number');
  }
  if (value.params !== undefined && !isObject(value.params)) {
    const reply = errorReply(id, INVALID_PARAMS, 'The member "params" must be an object');
    return id === undefined
      ? { kind: 'unusable', reason: `${value.method}: params is not an object` }
      : { kind: 'invalid', reply };
  }
  return id === undefined
    ? { kind: 'notification', message: value as unknown as JSONRPCNotification }
    : { kind: 'request', message: value as unknown as JSONRPCRequest };
}

function readResponse(value: Readonly<Record<string, unknown>>): Inbound {
  const isAnswer = isObject(value.result) && !('error' in value) && isRequestId(value.id);
  const isFailure =
    isObject(value.error) &&
    !('result' in value) &&
    Number.isSafeInteger(value.error.code) &&
    typeof value.error.message === 'string';
  if (value.jsonrpc === '2.0' && (isAnswer || isFailure)) {
    return { kind: 'response', message: value as unknown as JSONRPCResponse };
  }
  return { kind: 'unusable', reason: 'A response is neither a result nor an error' };
}

function invalid(id: RequestId | undefined, message: string): Inbound {
  return {
    kind: 'invalid',
    reply: errorReply(id, INVALID_REQUEST, `Invalid request. ${message}.`),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
