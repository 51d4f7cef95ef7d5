import { isObject, type JsonObject } from './protocol.ts';

export type RequestId = string | number;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** What a client sent: one of the three kinds of message, or something else. */
export type Incoming =
  | RpcRequest
  | RpcNotification
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const noParams: JsonObject = {};

/** The value of a text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells the kinds of message apart. */
export function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return invalid(null, 'A message is a JSON object.');
  const { jsonrpc, id, method, params = noParams } = value;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  const echoed = isId ? (id as RequestId) : null;
  if (jsonrpc !== '2.0') return invalid(echoed, '"jsonrpc" must be "2.0".');
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string') return invalid(echoed, '"method" must be a string.');
  if (id !== undefined && !isId) return invalid(null, '"id" must be a string or an integer.');
  if (!isObject(params)) {
    const error = {
      code: rpcCode.invalidParams,
      message: 'Invalid params: "params" must be an object.',
    };
    return { kind: 'invalid', id: echoed, error };
  }
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id: id as RequestId, method, params };
}

/** A response with a result that is JSON text already. */
export function resultLine(id: RequestId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}`;
}

export function errorLine(id: RequestId | null, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

export function notificationLine(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** What clients of the older era are told without having asked. */
export const listChanged = notificationLine('notifications/tools/list_changed');

function invalid(id: RequestId | null, problem: string): Incoming {
  const error = { code: rpcCode.invalidRequest, message: `Invalid Request: ${problem}` };
  return { kind: 'invalid', id, error };
}
