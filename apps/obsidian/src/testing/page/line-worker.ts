import { shared, states } from './node-line.ts';

// Holds the page's connection to Node: questions go out as they come from the page, answers into the memory
// that it looks at, and what Node tells by itself goes on to the page as messages.

interface Start {
  readonly buffer: SharedArrayBuffer;
  readonly messages: MessagePort;
}

addEventListener('message', ({ data }) => start(data as Start), { once: true });

function start({ buffer, messages }: Start): void {
  const words = new Int32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer);
  const socket = new WebSocket(`ws://${location.host}/node`);
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const text = data.slice(1);
    if (!data.startsWith('a')) return messages.postMessage(text);
    const answer = new TextEncoder().encode(text);
    const size = shared.answer + answer.length;
    if (size > buffer.byteLength) buffer.grow(2 * size);
    bytes.set(answer, shared.answer);
    Atomics.store(words, shared.length, answer.length);
    Atomics.store(words, shared.state, states.answered);
  });
  socket.addEventListener('close', () => Atomics.store(words, shared.state, states.closed));
  socket.addEventListener('open', () => {
    addEventListener('message', ({ data }) => socket.send(data as string));
    (self as unknown as MessagePort).postMessage(null);
  });
}
