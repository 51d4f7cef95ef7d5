import type { Worker } from 'node:worker_threads';
import type { ParameterProblem, Schema, SchemaGuard } from '@errand/host';

/** What the thread says: that it listens, the problems, or why the schema cannot be used. */
export type CheckAnswer =
  | 'ready'
  | { readonly problems: readonly ParameterProblem[] }
  | { readonly broken: string };

/** Checks in a thread of its own, one value after the other, and ends the thread when one takes too long. */
export class SchemaWorker implements SchemaGuard, AsyncDisposable {
  readonly #deadline: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(deadline = 400) {
    this.#deadline = deadline;
  }

  check(schema: Schema, value: unknown): Promise<readonly ParameterProblem[] | undefined> {
    const turn = this.#last.then(() => this.#checkNow(schema, value));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  async #checkNow(
    schema: Schema,
    value: unknown,
  ): Promise<readonly ParameterProblem[] | undefined> {
    if (this.#isClosed) return undefined;
    const worker = await this.#started();
    if (worker === undefined) return undefined;
    // Referenced only while it works, so that an idle thread does not keep the program alive.
    worker.ref();
    worker.postMessage({ schema, value });
    const answer = await answerOf(worker, this.#deadline);
    worker.unref();
    if (answer === undefined || answer === 'ready') {
      this.#worker = undefined;
      await worker.terminate();
      return undefined;
    }
    if ('broken' in answer) throw new Error(answer.broken);
    return answer.problems;
  }

  /** The thread, once it listens; nothing where threads cannot be started. */
  async #started(): Promise<Worker | undefined> {
    if (this.#worker !== undefined) return this.#worker;
    // Loaded when it is needed: few schemas are checked this way.
    const { Worker } = await import('node:worker_threads');
    // Without a limit of memory: a thread that reaches one can take the program with it. The deadline ends it before.
    const worker = new Worker(threadUrl());
    if ((await answerOf(worker)) !== undefined) this.#worker = worker;
    return this.#worker;
  }
}

/** Beside this file: as it is written, or as the build bundled it. */
function threadUrl(): URL {
  const { url } = import.meta;
  return new URL(`./schema-worker-thread${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}

/** The next message of the thread; nothing when it fails, ends or takes too long. */
function answerOf(worker: Worker, deadline?: number): Promise<CheckAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<CheckAnswer | undefined>();
  const giveUp = () => resolve(undefined);
  const timer = deadline === undefined ? undefined : setTimeout(giveUp, deadline);
  worker.on('message', resolve).on('error', giveUp).on('exit', giveUp);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', giveUp).off('exit', giveUp);
  });
}
