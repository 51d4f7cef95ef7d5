import { Listeners, Semaphore } from '@errand/host';
import type { FlowContext, FlowOptions, JobEngine, JobInfo, Json } from '@errand/jobs';
import type { HookEvent } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';
import type { HookEnginePorts, HookLimits } from './engine-ports.ts';
import type { HookRecordKeeper } from './hook-records.ts';
import { HooksError } from './hooks-error.ts';
import { type RunEnd, type RunInput, runActions } from './run-actions.ts';

export interface HookRunsPorts
  extends Pick<
    HookEnginePorts,
    'runners' | 'chains' | 'log' | 'clock' | 'notifier' | 'onFault' | 'trust'
  > {
  readonly limits: HookLimits;
  readonly records: HookRecordKeeper;
  /** The hook with an id as it is now. */
  readonly find: (hookId: string) => Hook | undefined;
  /** Called when no run of a hook waits or works any more. */
  readonly onIdle: (hookId: string) => void;
}

const flowName = 'hook';
/** Runs at once of a hook in mode `parallel` that does not say how many. */
const parallelRuns = 10;
const mostRuns = 100_000;

/** The runs of hooks, each a job: those that wait or work, and through the log those that have ended. */
export class HookRuns {
  /** Tells of every change of a run. */
  readonly changes: Listeners<HookRun>;
  readonly #ports: HookRunsPorts;
  readonly #slots: Semaphore;
  readonly #active = new Map<string, HookRun>();
  #jobs: JobEngine | undefined;

  constructor(ports: HookRunsPorts) {
    this.#ports = ports;
    this.#slots = new Semaphore(() => ({ total: ports.limits.actions, perServer: -1 }));
    this.changes = new Listeners(ports.onFault);
  }

  /** The flow of a run, for the engine of the jobs. */
  get flow(): FlowOptions {
    return {
      run: (input, context) => this.#run(input as unknown as RunInput, context),
      perKey: (hookId) => {
        const { mode, max = parallelRuns } = this.#ports.find(hookId) ?? {};
        return mode === 'parallel' ? max : 1;
      },
    };
  }

  /** Takes over the runs that an earlier program left. To be called in the same turn in which the jobs are opened. */
  async attach(jobs: JobEngine): Promise<Disposable> {
    this.#jobs = jobs;
    const following = jobs.onChange((job) => this.#follow(job));
    for (const state of ['running', 'queued'] as const) {
      const left = await jobs.list({ flow: flowName, state, limit: mostRuns });
      for (const job of left.toReversed()) {
        if (!this.#active.has(job.id)) this.#active.set(job.id, runOf(job));
      }
    }
    return following;
  }

  /** The runs of a hook that wait or work, the oldest first; of all hooks without one. */
  active(hookId?: string): readonly HookRun[] {
    return [...this.#active.values()].filter((run) => (hookId ?? run.hookId) === run.hookId);
  }

  async find(runId: string): Promise<HookRun | undefined> {
    const active = this.active().find(({ id }) => id.startsWith(runId));
    return active ?? this.#ports.log.find(runId);
  }

  /** The event of a run as it came; the log has it without anything secret. */
  async eventOf({ id, event }: HookRun): Promise<HookEvent> {
    const job = await this.#jobs?.status(id);
    return job === undefined ? event : (job.input as unknown as RunInput).event;
  }

  /** Stores a run, which begins when its turn comes. One with a known id is not started again. */
  async begin(input: RunInput, id: string): Promise<HookRun> {
    const jobs = this.#started();
    const { hook, event, chain } = input;
    const known = await jobs.status(id);
    if (known !== undefined) return this.#active.get(id) ?? runOf(known);
    const facts = { id, hookId: hook.id, hookName: hook.name, chain, event } as const;
    const startedAt = this.#ports.clock.now();
    const run: HookRun = { ...facts, status: 'queued', startedAt, actions: [] };
    this.#show(run);
    this.#ports.records.count(hook.id);
    try {
      await jobs.start(flowName, input as unknown as Json, { id, key: hook.id });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#end({ ...run, status: 'failure', message: `It could not be stored: ${reason}` });
      throw error;
    }
    return this.#active.get(id) ?? run;
  }

  /** Ends a run that waits or works; answers with false when it had ended before. */
  async cancel(runId: string): Promise<boolean> {
    return this.#active.has(runId) && (await this.#started().cancel(runId));
  }

  async cancelAll(hookId: string): Promise<void> {
    await Promise.all(this.active(hookId).map(({ id }) => this.cancel(id)));
  }

  /** Resolves with a run when it has ended. */
  async ended(runId: string, signal?: AbortSignal): Promise<HookRun | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<HookRun>();
    const unsubscribe = this.changes.subscribe((run) => {
      if (run.id === runId && !isActive(run)) resolve(run);
    });
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await (this.#active.has(runId) ? promise : this.#ports.log.find(runId));
    } finally {
      unsubscribe();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Writes a run that never began into the log. */
  write(run: HookRun): void {
    this.#ports.log.append(run);
    this.changes.emit(run);
  }

  #started(): JobEngine {
    if (this.#jobs === undefined) throw new HooksError('closed', 'Hooks do not run yet.');
    return this.#jobs;
  }

  /** The flow of a job: a run from its beginning, or from where a crash left it. */
  async #run(input: RunInput, context: FlowContext): Promise<Json> {
    const { hook, event, chain } = input;
    const { startedAt = this.#ports.clock.now() } = this.#active.get(context.id) ?? {};
    const facts = { id: context.id, hookId: hook.id, hookName: hook.name, chain, event } as const;
    const { fields } = input;
    const run: HookRun = { ...facts, status: 'running', startedAt, fields, actions: [] };
    this.#show(run);
    let end: RunEnd;
    try {
      end = this.#withdrawn(hook) ?? (await this.#act(input, context, run));
    } catch (error) {
      const { actions = [] } = this.#active.get(run.id) ?? {};
      if (isCancelled(error)) this.#end({ ...run, status: 'cancelled', actions });
      throw error;
    }
    this.#end({ ...run, ...end });
    if (end.status === 'lost') this.#tellLost(hook, end);
    if (end.status === 'success' || end.status === 'skipped') return { status: end.status };
    throw new HooksError(end.status, end.message ?? `The run ended with ${end.status}.`);
  }

  #act(input: RunInput, context: FlowContext, run: HookRun): Promise<RunEnd> {
    const { hook, event } = input;
    const waiter = { serverId: hook.id, sessionId: '', isPerson: event.kind === 'manual' };
    return runActions(input, context, {
      ...this.#ports,
      enter: async (signal) => this.#slots.enter(waiter, signal),
      onProgress: (actions) => this.#show({ ...run, actions }),
    });
  }

  /** Why a stored run must not go on: the hook was removed, or nobody agrees to it any more. */
  #withdrawn(hook: Hook): RunEnd | undefined {
    const { find, trust } = this.#ports;
    if (find(hook.id) === undefined) return skipped('The hook was removed before this run ended.');
    if (trust.verdict(hook) === 'trusted') return undefined;
    return skipped('The hook changed, or its approval was withdrawn, before this run ended.');
  }

  #tellLost({ name }: Hook, { message }: RunEnd): void {
    this.#ports.notifier.notify({
      level: 'warning',
      message: `A run of the hook "${name}" was cut off.`,
      ...(message !== undefined && { detail: message }),
    });
  }

  #follow({ id, flow, state }: JobInfo): void {
    const run = flow === flowName ? this.#active.get(id) : undefined;
    if (run === undefined || state === 'queued' || state === 'running') return;
    // One that was cancelled while it waited never comes to its flow.
    if (state !== 'cancelled') this.#active.delete(id);
    else if (run.status === 'queued') this.#end({ ...run, status: 'cancelled' });
  }

  #show(run: HookRun): void {
    this.#active.set(run.id, run);
    this.changes.emit(run);
  }

  #end(run: HookRun): void {
    const ended = { ...run, endedAt: this.#ports.clock.now() };
    this.#active.delete(run.id);
    this.#ports.records.end(ended);
    this.write(ended);
    if (this.active(run.hookId).length === 0) this.#ports.onIdle(run.hookId);
  }
}

function runOf({ id, input, state, createdAt }: JobInfo): HookRun {
  const { hook, event, chain } = input as unknown as RunInput;
  const status = state === 'queued' ? 'queued' : 'running';
  const facts = { id, hookId: hook.id, hookName: hook.name, chain, event, status } as const;
  return { ...facts, startedAt: createdAt, actions: [] };
}

function isActive({ status }: HookRun): boolean {
  return status === 'queued' || status === 'running';
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'cancelled';
}

function skipped(message: string): RunEnd {
  return { status: 'skipped', message, actions: [] };
}
