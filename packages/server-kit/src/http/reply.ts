import type { ServerResponse } from 'node:http';
import {
  INVALID_REQUEST,
  type JSONRPCErrorResponse,
  PARSE_ERROR,
  type RequestId,
} from '@modelcontextprotocol/server';
import { errorReply, serverError } from '../json-rpc/error-reply.ts';

/** Answers with one JSON value. */
export function replyJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  });
  response.end(body);
}

/** Answers with a JSON-RPC error, which clients show to people. */
export function replyError(
  response: ServerResponse,
  status: number,
  message: string,
  { code = serverError, id, headers = {} }: RefusalDetails = {},
): void {
  replyJson(response, status, errorReply(id, code, message), headers);
}

/** Answers that the server takes no more clients for now. */
export function replyRefused(response: ServerResponse, message: string): void {
  replyError(response, 503, message, { headers: { 'Retry-After': '10' } });
}

interface RefusalDetails {
  readonly code?: number;
  readonly id?: RequestId;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status for refusals: what is no proper message is a failure of HTTP, too. */
export function statusOfReplies(replies: readonly JSONRPCErrorResponse[]): 200 | 400 {
  const malformed: readonly number[] = [INVALID_REQUEST, PARSE_ERROR];
  return replies.some(({ error }) => malformed.includes(error.code)) ? 400 : 200;
}
