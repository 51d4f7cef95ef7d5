import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { onTestFinished } from 'vitest';
import {
  createServiceClient,
  type ServiceClientOptions,
} from '../service-client/service-client.ts';
import { TestClock } from './test-clock.ts';

/** How a scripted service answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers that the service is not there. */
export function unavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503).end();
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A client of a server that answers the first request with the first answer, and so on; the last one stays. */
export async function scriptedService(
  answers: readonly Answer[],
  options: Partial<ServiceClientOptions> = {},
) {
  const requests: {
    method: string | undefined;
    url: string | undefined;
    body: string;
    port: number | undefined;
  }[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, socket } = request;
    const seen = { method, url, body: '', port: socket.remotePort };
    requests.push(seen);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    for await (const chunk of request) seen.body += chunk;
    answer?.(request, response);
  });
  const url = urlAt(await listen(server, { port: 0, host: '127.0.0.1' }, () => {}), '');
  let isOpen = true;
  const close = async () => {
    if (isOpen) await closeServer(server);
    isOpen = false;
  };
  onTestFinished(close);
  const clock = new TestClock(25_000);
  const client = createServiceClient({
    baseUrl: `${url}/base/`,
    clock,
    random: () => 1,
    ...options,
  });
  return { client, requests, clock, url, close };
}
