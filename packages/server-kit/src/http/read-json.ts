import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import { errorReply, serverError } from '../json-rpc/error-reply.ts';
import { readBody } from './read-body.ts';
import { replyError } from './reply.ts';

/** How long a sender may still read our refusal before its connection is cut. */
const linger = 250;

/** Reads a JSON body, or answers why not and gives back undefined. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<{ readonly value: unknown } | undefined> {
  if (!isJsonContentType(request.headers['content-type'] ?? null)) {
    replyError(response, 415, 'Send the message as application/json.');
    return undefined;
  }
  const body = await readBody(request, limit);
  if (body.kind === 'aborted') return undefined;
  if (body.kind === 'too-large') {
    refuseRest(request, response, `The body is larger than ${limit} bytes. Send less.`);
    return undefined;
  }
  if (isUtf8(body.bytes)) {
    try {
      return { value: JSON.parse(body.bytes.toString('utf8')) };
    } catch {
      // Answered below, as for bytes that are no text.
    }
  }
  replyError(response, 400, 'Parse error. The body is not JSON.', { code: PARSE_ERROR });
  return undefined;
}

/**
 * Answers before the body has arrived and reads no more of it. The response is not ended: Node
 * would read the rest, or cut the connection before the sender has seen the answer.
 */
function refuseRest(request: IncomingMessage, response: ServerResponse, message: string): void {
  const body = Buffer.from(JSON.stringify(errorReply(undefined, serverError, message)));
  response.writeHead(413, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Connection: 'close',
  });
  response.write(body);
  const timer = setTimeout(() => request.destroy(), linger);
  response.once('close', () => clearTimeout(timer));
}
