import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { Message, Reply, Request } from './wire.ts';

/** A question of the page, under a number. */
export interface Asked {
  readonly id: number;
  readonly request: Request;
}

export type Told =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Reply }
  | { readonly kind: 'message'; readonly message: Message };

const { port, news, files } = workerData as {
  readonly port: MessagePort;
  readonly news: Int32Array;
  readonly files: Readonly<Record<string, string>>;
};
const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
};
const waiting = new Map<number, ServerResponse>();
let lastId = 0;
let page: ServerResponse | undefined;
const early: Message[] = [];

port.on('message', (told: Told) => {
  if (told.kind === 'message') return send(told.message);
  waiting.get(told.id)?.end(JSON.stringify(told.answer));
  waiting.delete(told.id);
});

const server = createServer(async (request, response) => {
  const path = request.url ?? '/';
  if (path === '/node') {
    const question = JSON.parse(await text(request)) as Request;
    lastId += 1;
    waiting.set(lastId, response);
    port.postMessage({ id: lastId, request: question } satisfies Asked);
    wake();
    return;
  }
  if (path === '/messages') {
    page = response.setHeader('content-type', 'text/event-stream');
    page.flushHeaders();
    // A page that was closed must not hold Node up for ever.
    page.once('close', () => {
      Atomics.store(news, 1, 1);
      wake();
    });
    for (const message of early.splice(0)) send(message);
    return;
  }
  const file = files[path];
  const type = types[file?.split('.').at(-1) ?? ''];
  if (file === undefined || type === undefined) response.writeHead(404).end();
  else response.setHeader('content-type', `${type}; charset=utf-8`).end(readFileSync(file));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

function wake(): void {
  Atomics.add(news, 0, 1);
  Atomics.notify(news, 0);
}

function send(message: Message): void {
  if (page === undefined) early.push(message);
  else page.write(`data: ${JSON.stringify(message)}\n\n`);
}
