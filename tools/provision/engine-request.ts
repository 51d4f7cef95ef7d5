import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

interface EngineRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: Readable | object;
}

interface EngineAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks a Docker engine on a unix socket; rejects when it cannot be reached. */
export async function engineRequest(
  host: string,
  path: string,
  { method = 'GET', body }: EngineRequest = {},
): Promise<EngineAnswer> {
  const isStream = body !== undefined && 'pipe' in body;
  const type = isStream ? 'application/x-tar' : 'application/json';
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const socketPath = host.replace(/^unix:\/\//, '');
    const sent = request({ socketPath, path, method, headers: { 'content-type': type } }, resolve);
    sent.once('error', reject);
    if (isStream) body.once('error', reject).pipe(sent);
    else sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
  return { status: response.statusCode ?? 0, text: await text(response) };
}
