import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorLine, rpcCode } from '@errand/wire';
import { isJsonType, parseJson, readBody, refuseBody } from '@errand/wire/node';
import { replyTo } from '../json-rpc/sdk-message.ts';
import { replyError, replyJson } from './reply.ts';

/** Reads a JSON body, or answers why not and gives back undefined. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<{ readonly value: unknown } | undefined> {
  if (!isJsonType(request.headers['content-type'])) {
    replyError(response, 415, 'Send the message as application/json.');
    return undefined;
  }
  const body = await readBody(request, limit, request.headers['content-length']);
  if (body.kind === 'aborted') return undefined;
  if (body.kind === 'too-large') {
    const message = `The body is larger than ${limit} bytes. Send less.`;
    refuseBody(request, response, errorLine(null, { code: rpcCode.serverError, message }));
    return undefined;
  }
  const parsed = parseJson(body.bytes);
  if (parsed.kind === 'json') return parsed;
  replyJson(response, 400, replyTo(parsed));
  return undefined;
}
