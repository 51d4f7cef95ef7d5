import type { ServerResponse } from 'node:http';
import { type RequestId, rpcCode } from '@errand/wire';
import { type ReplyHeaders, sendJson } from '@errand/wire/node';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { errorReply } from '../json-rpc/sdk-message.ts';

/** Answers with one JSON value. */
export function replyJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers?: ReplyHeaders,
): void {
  sendJson(response, status, JSON.stringify(value), headers);
}

/** Answers with a JSON-RPC error, which clients show to people. */
export function replyError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = rpcCode.serverError, id = null, headers }: RefusalDetails = {},
): void {
  replyJson(response, status, errorReply(id, code, message), headers);
}

/** Answers that the server takes no more clients for now. */
export function replyRefused(response: ServerResponse, message: string): void {
  replyError(response, 503, message, { headers: { 'Retry-After': '10' } });
}

interface RefusalDetails {
  readonly code?: number;
  readonly id?: RequestId | null;
  readonly headers?: ReplyHeaders;
}

/** The HTTP status of a refusal; a malformed message is an HTTP error, too. */
export function statusOfReplies(replies: readonly JSONRPCErrorResponse[]): 200 | 400 {
  const malformed: readonly number[] = [rpcCode.invalidRequest, rpcCode.parseError];
  return replies.some(({ error }) => malformed.includes(error.code)) ? 400 : 200;
}
