import type { IncomingMessage, ServerResponse } from 'node:http';

export type ReplyHeaders = Readonly<Record<string, string>>;

const noHeaders: ReplyHeaders = {};

/** How long a client may still read a refusal before its connection is cut, in milliseconds. */
const gracePeriodMs = 250;

/** Answers with one JSON text; does nothing when an answer has begun or the client has gone. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers = noHeaders,
): void {
  if (response.headersSent || response.destroyed) return;
  const length = Buffer.byteLength(text);
  response.writeHead(status, jsonHead(length, headers));
  // Where every character is one byte, it need not be encoded.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Answers with a status and nothing else. */
export function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, ['Content-Length', '0']);
  response.end();
}

/**
 * Answers 413 before the body has arrived and reads no more of it. The response is not ended: Node would read the
 * rest, or cut the connection before the client has seen the answer.
 */
export function refuseBody(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.writeHead(413, jsonHead(Buffer.byteLength(text), { Connection: 'close' }));
  response.write(text);
  const timer = setTimeout(() => request.destroy(), gracePeriodMs);
  response.once('close', () => clearTimeout(timer));
}

function jsonHead(length: number, headers: ReplyHeaders): string[] {
  const head = ['Content-Type', 'application/json', 'Content-Length', String(length)];
  for (const name of Object.keys(headers)) head.push(name, headers[name] ?? '');
  return head;
}
