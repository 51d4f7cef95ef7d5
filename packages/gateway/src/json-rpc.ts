import { isNestedTooDeep } from './nesting.ts';
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

/** A client's answer to a question of ours. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RequestId | null;
  /** Absent when the client answered with an error. */
  readonly result?: JsonObject;
}

/** What a client sent: one of the three kinds of message, or something else. */
export type Incoming =
  | RpcRequest
  | RpcNotification
  | RpcResponse
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
  shuttingDown: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const noParams: JsonObject = {};

/** What is sent back to a client of its own words is cut to these many characters. */
const longestMessage = 2_000;
const longestId = 1_024;

/** What a text says: one message, several, or nothing that could be read. */
export type IncomingText =
  | Incoming
  | { readonly kind: 'batch'; readonly batch: readonly unknown[] };

/** Reads what a client sent as one text. */
export function readText(text: string): IncomingText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const message = 'Parse error: the message is not JSON.';
    return { kind: 'invalid', id: null, error: { code: rpcCode.parseError, message } };
  }
  if (isNestedTooDeep(text)) {
    return invalid(idOf(value), 'The message is nested too deep. Send one with fewer levels.');
  }
  return Array.isArray(value) ? { kind: 'batch', batch: value } : readMessage(value);
}

/** Tells the kinds of message apart. */
export function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return invalid(null, 'A message is a JSON object.');
  const { jsonrpc, id, method, params = noParams } = value;
  const echoed = idOf(value);
  if (jsonrpc !== '2.0') return invalid(echoed, '"jsonrpc" must be "2.0".');
  if (method === undefined && ('result' in value || 'error' in value)) {
    const { result } = value;
    return { kind: 'response', id: echoed, ...(isObject(result) && { result }) };
  }
  if (typeof method !== 'string') return invalid(echoed, '"method" must be a string.');
  if (id !== undefined && echoed === null) {
    return invalid(
      null,
      `"id" must be an integer, or a string of at most ${longestId} characters.`,
    );
  }
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
  const message =
    error.message.length > longestMessage
      ? `${error.message.slice(0, longestMessage)}...`
      : error.message;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { ...error, message } });
}

export function requestLine(id: RequestId, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationLine(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** What clients of the older era are told without having asked. */
export const listChanged = notificationLine('notifications/tools/list_changed');

function idOf(value: unknown): RequestId | null {
  const id = isObject(value) ? value.id : undefined;
  if (typeof id === 'string') return id.length <= longestId ? id : null;
  return Number.isSafeInteger(id) ? (id as number) : null;
}

function invalid(id: RequestId | null, problem: string): Incoming {
  const error = { code: rpcCode.invalidRequest, message: `Invalid Request: ${problem}` };
  return { kind: 'invalid', id, error };
}
