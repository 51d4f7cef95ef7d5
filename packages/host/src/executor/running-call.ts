import { onAbort } from '@errand/wire';
import type { Caller } from '../caller.ts';
import type { Progress, ToolDescription } from '../connection.ts';
import { catchFaults, type OnFault } from '../events/catch-faults.ts';
import { HostError } from '../host-error.ts';
import type { CallOutcome, CallStatus, ToolInvocationRequest } from '../tool-invocation.ts';

/** What a caller hands in with a request. */
export interface ExecuteOptions {
  /** Cancels the call and notifies the server. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onState?: (state: CallState) => void;
  /** Every progress message restarts the deadline. */
  readonly progressExtends?: boolean;
  /** Answers what the server asks in the course of the call; the deadline rests meanwhile. */
  readonly caller?: Caller;
  /** For the server, in the call's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Whether the place the request comes from permits it; nothing is started before. */
  readonly allows?: (request: ToolInvocationRequest) => HostError | undefined;
  /** Gives the parameters the types that the tool's schema asks for; throws `invalid_params`. */
  readonly typeParameters?: (
    parameters: Readonly<Record<string, unknown>>,
    inputSchema: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /**
   * Asks for approval: resolves with a refusal, with nothing, or with `unasked` when none was needed.
   * No deadline runs meanwhile.
   */
  readonly approve?: (
    request: ToolInvocationRequest,
    tool: ToolDescription,
    signal: AbortSignal,
  ) => Promise<HostError | 'unasked' | undefined>;
}

/** Where a call is on its way. */
export interface CallState {
  readonly status: CallStatus;
  /** What a pending call waits for. */
  readonly waitingFor?: 'server' | 'approval' | 'turn';
}

/** A call on its way, with everyone who asked for it: the same block asked again joins in. */
export class RunningCall {
  readonly request: ToolInvocationRequest;
  readonly options: ExecuteOptions;
  readonly submittedAt: number;
  readonly #controller = new AbortController();
  readonly #callers = new Set<ExecuteOptions>();
  readonly #onFault: OnFault;
  #state: CallState = { status: 'pending' };

  constructor(
    request: ToolInvocationRequest,
    options: ExecuteOptions,
    submittedAt: number,
    onFault: OnFault,
  ) {
    this.request = request;
    this.options = options;
    this.submittedAt = submittedAt;
    this.#onFault = onFault;
  }

  /** Aborted, with a `HostError` as its reason, when the call must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get state(): CallState {
    return this.#state;
  }

  end(reason: HostError): void {
    this.#controller.abort(reason);
  }

  /** Cancels the call on request. */
  cancel(): void {
    this.end(cancelled());
  }

  enter(state: CallState): void {
    this.#state = state;
    for (const { onState } of this.#callers) {
      if (onState !== undefined) catchFaults(onState, this.#onFault)(state);
    }
  }

  progress(progress: Progress): void {
    for (const { onProgress } of this.#callers) {
      if (onProgress !== undefined) catchFaults(onProgress, this.#onFault)(progress);
    }
  }

  /** Waits for the outcome as one of the callers; who gives up leaves, and the last one ends the call. */
  join(
    options: ExecuteOptions,
    outcome: Promise<CallOutcome>,
    now: () => number,
  ): Promise<CallOutcome> {
    this.#callers.add(options);
    const { signal, onState } = options;
    if (onState !== undefined) catchFaults(onState, this.#onFault)(this.#state);
    if (signal === undefined) return outcome;
    return new Promise((resolve, reject) => {
      const { [Symbol.dispose]: stay } = onAbort(signal, () => {
        this.#callers.delete(options);
        if (this.#callers.size === 0) this.cancel();
        else resolve(this.#left(now()));
      });
      outcome.then(stay, stay);
      outcome.then(resolve, reject);
    });
  }

  #left(now: number): CallOutcome {
    const { code, message } = cancelled();
    return {
      requestId: this.request.id,
      attempts: 0,
      durationMs: now - this.submittedAt,
      status: 'cancelled',
      error: { code, message },
    };
  }
}

function cancelled(): HostError {
  return new HostError('cancelled', 'Execution cancelled');
}
