import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createRequestSlots, McpError } from '@errand/server-kit';
import type { WorkerInput } from './message-worker.ts';
import { type ParsedMessage, parseMessage } from './parse-message.ts';

/** Decodes messages of any size without holding up other calls. */
export interface MessageReader {
  /** Loads and decodes a message. Few are loaded at once: each may take 100 MB. */
  read(load: () => Promise<Uint8Array>, options?: ReadOptions): Promise<ParsedMessage>;
}

export interface ReadOptions {
  readonly attachmentName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Messages above this size are decoded in a thread of their own. */
const largeBytes = 128 * 1024;

const loadedAtOnce = 3;

/** Milliseconds that the decoding of one message may take. */
const deadline = 20_000;

/** Small messages are decoded at once; large ones in a worker with a deadline, one after the other. */
export function createMessageReader({ deadlineMs = deadline } = {}): MessageReader {
  let last: Promise<unknown> = Promise.resolve();
  const slots = createRequestSlots(loadedAtOnce);
  return {
    async read(load, { attachmentName, signal } = {}) {
      using _slot = await slots.take(signal ?? new AbortController().signal);
      const answer = await load();
      if (answer.length <= largeBytes) return await readable(parseMessage(answer, attachmentName));
      // One at a time: a few mails of 25 MB at once would take all memory.
      const reading = last.then(() => readInWorker({ answer, attachmentName }, deadlineMs, signal));
      last = reading.catch(() => {});
      return await reading;
    },
  };
}

async function readInWorker(
  input: WorkerInput,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<ParsedMessage> {
  signal?.throwIfAborted();
  const file = import.meta.url.endsWith('.ts') ? './message-worker.ts' : './message-worker.js';
  const timeout = AbortSignal.timeout(deadlineMs);
  const ends = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  try {
    const [parsed] = await readable(once(worker, 'message', { signal: ends }), timeout);
    return parsed as ParsedMessage;
  } finally {
    await worker.terminate();
  }
}

async function readable<T>(reading: Promise<T>, timeout?: AbortSignal): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError' && timeout?.aborted !== true)
      throw cause;
    const why = timeout?.aborted === true ? 'takes too long to decode' : 'cannot be decoded';
    throw new McpError('parse_error', `The mail ${why}. Open it in Gmail instead.`, undefined, {
      cause,
    });
  }
}
