import { randomUUID } from 'node:crypto';
import { isRecord, type JsonObject, onAbort } from '@errand/wire';
import { answerTimeoutMs } from './client-questions.ts';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import { type Implementation, metaKey } from './protocol.ts';
import { shutdown } from './shutdown.ts';

/** How many calls may wait for input from their clients at once. */
const maxSuspended = 100;

/** Starts a call, which asks its client through `ask` and ends when the signal fires. */
type StartCall = (ask: SuspendedCall['ask'], signal: AbortSignal) => Promise<Reply>;

/**
 * Calls of the newer era that are suspended until their clients provide input: the reply is `input_required`, and
 * the call resumes when the client sends it again with the responses.
 */
export class SuspendedCalls implements Disposable {
  readonly #info: Implementation;
  readonly #held = new Map<string, SuspendedCall>();

  constructor(info: Implementation) {
    this.#info = info;
  }

  /** Starts a call and resolves with its result or its first questions. */
  start(name: string, start: StartCall, exchange: Exchange): Promise<Reply> {
    const { sessionId } = exchange;
    const call = new SuspendedCall(name, sessionId, () => this.#held.size < maxSuspended);
    call.run(start);
    return this.#next(call, exchange);
  }

  /** Resumes a suspended call; undefined when the request names none. */
  resume({ name, requestState, inputResponses }: JsonObject, exchange: Exchange) {
    if (requestState === undefined) return undefined;
    const state = typeof requestState === 'string' ? requestState : '';
    const call = this.#held.get(state);
    if (call?.name !== name || call?.sessionId !== exchange.sessionId) {
      const problem = '"requestState" belongs to no waiting call. Make the call again.';
      return Promise.resolve(invalidParams(problem));
    }
    this.#held.delete(state);
    call.answer(isRecord(inputResponses) ? inputResponses : {});
    return this.#next(call, exchange);
  }

  [Symbol.dispose](): void {
    for (const call of this.#held.values()) call.end(shutdown);
  }

  async #next(call: SuspendedCall, { signal }: Exchange): Promise<Reply> {
    using _listening = onAbort(signal, (reason) => call.end(reason));
    return (await call.next()) ?? this.#hold(call);
  }

  #hold(call: SuspendedCall): Reply {
    const requestState = randomUUID();
    this.#held.set(requestState, call);
    const timer = setTimeout(() => call.end(undefined), answerTimeoutMs).unref();
    const forget = () => {
      clearTimeout(timer);
      this.#held.delete(requestState);
    };
    call.outcome.then(forget, forget);
    const result = {
      resultType: 'input_required',
      inputRequests: call.questions(),
      requestState,
      _meta: { [metaKey.serverInfo]: this.#info },
    };
    return { resultText: JSON.stringify(result) };
  }
}

interface Question {
  readonly request: { readonly method: string; readonly params: JsonObject };
  settle(result: JsonObject | undefined): void;
}

/** One call and its open questions. */
class SuspendedCall {
  readonly name: string;
  /** Whose call it is: nobody else goes on with it. */
  readonly sessionId: string;
  readonly #mayWait: () => boolean;
  readonly #questions = new Map<string, Question>();
  readonly #controller = new AbortController();
  #asked = Promise.withResolvers<undefined>();
  #lastQuestion = 0;
  outcome: Promise<Reply> = Promise.reject(new Error('not started'));

  constructor(name: string, sessionId: string, mayWait: () => boolean) {
    this.name = name;
    this.sessionId = sessionId;
    this.#mayWait = mayWait;
    this.outcome.catch(() => undefined);
  }

  run(start: StartCall): void {
    this.outcome = start(this.ask, this.#controller.signal);
    // The rejection is handled by `next`.
    this.outcome.catch(() => undefined);
  }

  /** The end of the call, or nothing when it asks something first. */
  next(): Promise<Reply | undefined> {
    return Promise.race([this.outcome, this.#asked.promise]);
  }

  readonly ask = (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> => {
    if (signal.aborted || this.#controller.signal.aborted || !this.#mayWait()) {
      return Promise.resolve(undefined);
    }
    this.#lastQuestion += 1;
    const key = `question-${this.#lastQuestion}`;
    return new Promise((resolve) => {
      const ended = AbortSignal.any([signal, this.#controller.signal]);
      const settle = (result: JsonObject | undefined) => {
        this.#questions.delete(key);
        stopListening();
        resolve(result);
      };
      const { [Symbol.dispose]: stopListening } = onAbort(ended, () => settle(undefined));
      this.#questions.set(key, { request: { method, params }, settle });
      this.#asked.resolve(undefined);
    });
  };

  questions(): JsonObject {
    return Object.fromEntries([...this.#questions].map(([key, { request }]) => [key, request]));
  }

  /** Passes on the client's responses; a missing one counts as declined. */
  answer(responses: JsonObject): void {
    this.#asked = Promise.withResolvers();
    for (const [key, { settle }] of this.#questions) {
      const response = responses[key];
      settle(isRecord(response) ? response : undefined);
    }
  }

  end(reason: unknown): void {
    this.#controller.abort(reason);
  }
}
