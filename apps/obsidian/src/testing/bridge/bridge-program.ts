import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Asked, NodeMessage } from './http-worker.ts';
import { lendNode } from './lend-node.ts';
import type { Answer } from './wire.ts';

// Stands in for the Node half of an Electron renderer, for one page; its files are given as a JSON object
// of paths in the one argument. A renderer has one thread: while a script of the page runs, nothing else
// happens in Node, and while Node calls the page, Node waits. So this thread blocks whenever it is
// the page's turn, and another thread holds the connections meanwhile.
const { port1: port, port2 } = new MessageChannel();
/** How often the other thread had something for this one, and whether the page is gone. */
const news = new Int32Array(new SharedArrayBuffer(8));
const worker = new Worker(new URL('./http-worker.ts', import.meta.url), {
  workerData: { port: port2, news, files: JSON.parse(process.argv[2] ?? '{}') },
  transferList: [port2],
});
const post = (sent: NodeMessage) => port.postMessage(sent);

// Whoever started this program ends it by closing its input.
process.stdin.resume().once('end', () => process.exit());

/** Whether a script of the page runs. */
let isTurn = false;
/** Messages that were sent to the page, and those of them that it has dealt with. */
let sent = 0;
let handled = 0;
/** The question that is being answered. */
let asking: number | undefined;
/** What came of the function of the page that was called last. */
let returned: Answer | undefined;
const nothing: Answer = { ok: true, value: { t: 'undefined' } };

const answer = lendNode({
  send(message) {
    sent += 1;
    post({ kind: 'message', message });
    // As soon as what runs now has run: then a renderer's page goes on.
    if (sent === handled + 1) process.nextTick(waitForPage);
  },
  call(id, args) {
    const requestId = asking;
    asking = undefined;
    const call = { kind: 'called', id, args } as const;
    if (requestId === undefined) this.send(call);
    else post({ kind: 'answer', id: requestId, answer: call });
    answerUntil(() => returned !== undefined);
    const result = returned ?? nothing;
    returned = undefined;
    return result;
  },
});

port.on('message', (first: Asked) => {
  take(first);
  waitForPage();
});

/** Blocks until the page has dealt with everything and nothing of it runs any more. */
function waitForPage(): void {
  answerUntil(() => !isTurn && handled === sent);
}

function answerUntil(isOver: () => boolean): void {
  while (!isOver() && Atomics.load(news, 1) === 0) {
    const known = Atomics.load(news, 0);
    const next = receiveMessageOnPort(port) as { readonly message: Asked } | undefined;
    if (next === undefined) Atomics.wait(news, 0, known);
    else take(next.message);
  }
}

function take({ request, id }: Asked): void {
  if (request.op === 'end-turn') {
    isTurn = false;
    handled = request.handled;
    return;
  }
  isTurn = true;
  if (request.op === 'return') {
    returned = request.answer;
    // The page waits for what comes of the question during which it was called, if there was one.
    if (request.isAsking) asking = id;
    return;
  }
  asking = id;
  const result = answer(request);
  if (asking !== undefined) post({ kind: 'answer', id: asking, answer: result });
  asking = undefined;
}

worker.once('error', (error) => {
  throw error;
});
