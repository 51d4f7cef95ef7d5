import type { JsonObject } from './is-record.ts';

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

/** The answer to a request of ours: a result, or else an error. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RequestId | null;
  readonly result?: JsonObject;
  readonly error?: RpcError;
}

/** A value that is no message, with the error to answer it with. */
export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly id: RequestId | null;
  readonly error: RpcError;
  /** Not so for broken notifications and responses: to answer an answer could go on for ever. */
  readonly isAnswerable: boolean;
}

/** What a client sent: one of the three kinds of message, or something else. */
export type Incoming = RpcRequest | RpcNotification | RpcResponse | InvalidMessage;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The first of the codes that JSON-RPC leaves to servers. */
  serverError: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The longest id that is taken, in characters: it is sent back. */
export const longestId = 1_024;

/** An error quotes what a client sent; no more of that is sent back. */
const longestMessage = 2_000;

/** Whether a value can name a request of a client. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= longestId : Number.isSafeInteger(value);
}

/** Writes a response whose result is JSON text already. */
export function resultLine(id: RequestId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}`;
}

/** Writes an error response; the id is null where none could be read. */
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
