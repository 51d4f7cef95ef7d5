import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Asked, Told } from './http-worker.ts';
import { lendNode } from './lend-node.ts';

// Stands in for the Node half of an Electron renderer, for one page; its files are given as a JSON object
// of paths in the one argument. A renderer has one thread: while a script of the page runs, nothing else
// happens in Node. So this thread stands still from the page's first question until the page says that its
// turn is over, and another thread holds the connections meanwhile.
const { port1: port, port2 } = new MessageChannel();
const asked = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(new URL('./http-worker.ts', import.meta.url), {
  workerData: { port: port2, asked, files: JSON.parse(process.argv[2] ?? '{}') },
  transferList: [port2],
});
const tell = (told: Told) => port.postMessage(told);
const answer = lendNode((message) => tell({ kind: 'message', message }));

/** A page that was closed in the middle of its turn must not hold Node up for ever. */
const longestPause = 2_000;

port.on('message', (first: Asked) => {
  let isOver = take(first);
  while (!isOver) {
    const isAsked = Atomics.wait(asked, 0, 0, longestPause) !== 'timed-out';
    const next = receiveMessageOnPort(port) as { readonly message: Asked } | undefined;
    isOver = next === undefined ? !isAsked : take(next.message);
  }
});

/** Answers a question; returns whether the page's turn is over. */
function take({ request, id }: Asked): boolean {
  Atomics.sub(asked, 0, 1);
  if (request.op === 'end-turn') {
    tell({ kind: 'answer', id, answer: { ok: true, value: { t: 'undefined' } } });
    return true;
  }
  tell({ kind: 'answer', id, answer: answer(request) });
  return false;
}

// Whoever started this program ends it by closing its input.
process.stdin.resume().once('end', () => process.exit());
worker.once('error', (error) => {
  throw error;
});
