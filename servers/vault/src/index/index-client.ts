import { addAbortListener } from 'node:events';
import { Worker } from 'node:worker_threads';
import { VaultError } from '../vault-error.ts';
import type { FromWorker, IndexMethod, IndexMethods, ToWorker, WorkerStart } from './protocol.ts';
import type { QueryOptions } from './query-options.ts';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly progress: QueryOptions['progress'];
}

/** The index of a vault, which lives in a thread of its own; it is started when first needed. */
export class IndexClient implements AsyncDisposable {
  readonly #start: WorkerStart;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isStopped = false;

  constructor(start: WorkerStart) {
    this.#start = start;
  }

  /** Asks the index and waits for the answer. */
  async ask<M extends IndexMethod>(
    method: M,
    request: IndexMethods[M]['request'],
    { signal, progress }: QueryOptions = {},
  ): Promise<IndexMethods[M]['answer']> {
    signal?.throwIfAborted();
    this.#lastId++;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<IndexMethods[M]['answer']>();
    this.#waiting.set(id, { resolve, reject, progress });
    this.#send({ kind: 'ask', id, method, request });
    const cancel = () => {
      this.#send({ kind: 'cancel', id });
      this.#waiting.delete(id);
      reject(signal?.reason);
    };
    using _listening = signal && addAbortListener(signal, cancel);
    return await promise;
  }

  /** Tells the index of a change that was just made, so that the next answer knows it. */
  changed(...paths: readonly string[]): void {
    if (this.#worker !== undefined) this.#send({ kind: 'changed', paths });
  }

  /** Starts the index before anybody asks. */
  start(): void {
    if (this.#worker !== undefined || this.#isStopped) return;
    const file = import.meta.url.endsWith('.ts') ? './index-worker.ts' : './index-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: this.#start,
      // Reading notes makes much garbage that dies young; a small nursery keeps it from piling up.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, undefined));
    this.#worker = worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
  }

  #send(message: ToWorker): void {
    this.start();
    this.#worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'progress') {
      waiting.progress?.(message.done, message.total);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') {
      waiting.resolve(message.answer as never);
      return;
    }
    const { code, message: text, details } = message.error;
    waiting.reject(code === undefined ? new Error(text) : new VaultError(code, text, details));
  }

  #lost(worker: Worker, cause: Error | undefined): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = new VaultError(
      'internal_error',
      'The index of the vault stopped unexpectedly. It starts again with the next call; try again.',
      undefined,
      { cause },
    );
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
