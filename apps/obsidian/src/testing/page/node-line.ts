/** The line to the Node of another process. */
export interface NodeLine {
  /** Sends a query, and blocks until the answer is there. */
  ask(question: string): string;
  /** Sends what has no answer. */
  send(message: string): void;
  /** Subscribes to messages that Node sends unasked. */
  onMessage(listener: (message: string) => void): void;
  /** Pauses or resumes the messages of Node. */
  hold(isHeld: boolean): void;
}

/** What the page and its worker share: the state of the line, how many bytes the answer has, the answer. */
export const shared = { state: 0, length: 1, answer: 8 } as const;
export const states = { waiting: 0, answered: 1, closed: 2 } as const;

/** A worker holds the connection, because nothing reaches a page that stands still. */
export async function openNodeLine(): Promise<NodeLine> {
  const buffer = new SharedArrayBuffer(2 ** 16, { maxByteLength: 2 ** 28 });
  const words = new Int32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer);
  const worker = new Worker('/line-worker.js');
  const messages = new MessageChannel();
  const opened = new Promise((resolve) => worker.addEventListener('message', resolve));
  worker.postMessage({ buffer, messages: messages.port2 }, [messages.port2]);
  await opened;
  let held: string[] | undefined;
  let hear: (message: string) => void = () => {};
  return {
    send: (message) => worker.postMessage(message),
    ask(question) {
      Atomics.store(words, shared.state, states.waiting);
      worker.postMessage(question);
      // A page must not sleep, so it looks until the answer is there.
      while (Atomics.load(words, shared.state) === states.waiting);
      if (Atomics.load(words, shared.state) === states.closed) {
        throw new Error('HARNESS: Node is gone.');
      }
      const length = Atomics.load(words, shared.length);
      return new TextDecoder().decode(bytes.slice(shared.answer, shared.answer + length));
    },
    onMessage(listener) {
      hear = listener;
      messages.port1.onmessage = ({ data }) => {
        if (held === undefined) listener(data as string);
        else held.push(data as string);
      };
    },
    hold(isHeld) {
      const left = held ?? [];
      held = isHeld ? left : undefined;
      if (!isHeld) for (const message of left) hear(message);
    },
  };
}
