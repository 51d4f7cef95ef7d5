import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Message, Reply, Request } from './wire.ts';

/** A question of the page, under a number. */
export interface Asked {
  readonly id: number;
  readonly request: Request;
}

export type NodeMessage =
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
/** Only then may a page share memory with its worker. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
let page: WebSocket | undefined;
let lastId = 0;

port.on('message', (message: NodeMessage) =>
  page?.send(
    message.kind === 'answer'
      ? `a${JSON.stringify(message.answer)}`
      : `m${JSON.stringify(message.message)}`,
  ),
);

const server = createServer(({ url = '/' }, response) => {
  const file = files[url];
  const type = types[file?.split('.').at(-1) ?? ''];
  if (file === undefined || type === undefined) response.writeHead(404).end();
  else {
    response.writeHead(200, { ...isolation, 'content-type': `${type}; charset=utf-8` });
    response.end(readFileSync(file));
  }
});
new WebSocketServer({ server, path: '/node', perMessageDeflate: false, maxPayload: 0 }).once(
  'connection',
  (socket) => {
    page = socket;
    socket.on('message', (question: Buffer) => {
      lastId += 1;
      const request = JSON.parse(question.toString()) as Request;
      port.postMessage({ id: lastId, request } satisfies Asked);
      wake();
    });
    // A page that was closed must not hold Node up for ever.
    socket.once('close', () => {
      Atomics.store(news, 1, 1);
      wake();
    });
  },
);
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

function wake(): void {
  Atomics.add(news, 0, 1);
  Atomics.notify(news, 0);
}
