import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorLine, rpcCode } from '@errand/wire';
import { isJsonType, parseJson, readBody, refuseBody } from '@errand/wire/node';
import { replyTo } from '../json-rpc/sdk-message.ts';
import type { MemoryGate } from '../memory-gate.ts';
import { replyError, replyJson, replyRefused } from './reply.ts';

/** Reads a JSON body, or answers why not and gives back undefined. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  gate: MemoryGate,
): Promise<{ readonly value: unknown } | undefined> {
  if (!isJsonType(request.headers['content-type'])) {
    replyError(response, 415, 'Send the message as application/json.');
    return undefined;
  }
  if (!(await hasRoom(request, response, limit, gate))) return undefined;
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

/** Bodies up to this size are read at once. */
const smallBody = 64 * 1024;
/** A body is there as bytes, as text and as values, and often comes back in the answer. */
const copies = 6;

/** Waits until there is memory for a large body; the room is given back when the answer is sent. */
async function hasRoom(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  gate: MemoryGate,
): Promise<boolean> {
  const bytes = Number(request.headers['content-length'] ?? limit);
  if (bytes <= smallBody || bytes > limit) return true;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const admission = await gate.enter(bytes * copies, gone.signal);
  if (admission.kind === 'admitted') {
    if (response.destroyed) admission.ticket[Symbol.dispose]();
    else response.once('close', () => admission.ticket[Symbol.dispose]());
    return true;
  }
  // The rest of the body is never read.
  response.setHeader('Connection', 'close');
  replyRefused(response, 'This server is short of memory. Try again later, with fewer calls.');
  return false;
}
