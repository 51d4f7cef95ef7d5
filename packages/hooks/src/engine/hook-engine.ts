import { randomUUID } from 'node:crypto';
import { Listeners } from '@errand/host';
import type { FlowOptions, JobEngine } from '@errand/jobs';
import { type ContextPorts, contextFields } from '../definitions/context-fields.ts';
import type { HookProblem, ParsedHooks } from '../definitions/parse-hooks.ts';
import type { Chain, HookEvent, RunningSource, WantedTrigger } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';
import { briefGit } from './brief-git.ts';
import { DroppedEvents } from './dropped-events.ts';
import { defaultLimits, type HookEnginePorts, type HookLimits } from './engine-ports.ts';
import {
  chainOf,
  EventAdmission,
  endOfChain,
  type Refusal,
  refusalOf,
  runId,
} from './event-admission.ts';
import { HookIndex, type IndexedHook } from './hook-index.ts';
import { HookRecordKeeper } from './hook-records.ts';
import { HookRuns } from './hook-runs.ts';
import { HooksError } from './hooks-error.ts';
import { RecentEvents } from './recent-events.ts';

/** What changes while hooks run, for those who show it. */
export type HookEngineEvent =
  | { readonly kind: 'hooks-changed' }
  | { readonly kind: 'run-changed'; readonly run: HookRun };

/** Decides which event runs which hook, how often and when. One for a vault. */
export class HookEngine implements AsyncDisposable {
  readonly events: Listeners<HookEngineEvent>;
  readonly recent = new RecentEvents();
  readonly records: HookRecordKeeper;
  readonly #runs: HookRuns;
  readonly #ports: HookEnginePorts;
  readonly #limits: HookLimits;
  readonly #context: ContextPorts;
  readonly #dropped: DroppedEvents;
  readonly #admission: EventAdmission;
  /** Events that are being decided on, by id: whoever tells of one again waits as well. */
  readonly #deciding = new Map<string, Promise<readonly Refusal[]>>();
  readonly #closing = new AbortController();
  #index = new HookIndex([]);
  #problems: readonly HookProblem[] = [];
  #sources: readonly RunningSource[] = [];
  #wantedTriggers: readonly WantedTrigger[] | undefined;
  #stop: () => void = () => undefined;

  /** Reads the hooks; nothing runs before `start`. */
  static async open(ports: HookEnginePorts): Promise<HookEngine> {
    const [parsed, records] = await Promise.all([ports.store.load(), ports.records.load()]);
    const keeper = new HookRecordKeeper(ports.records, records, ports.clock, ports.onFault);
    const engine = new HookEngine(ports, keeper);
    engine.#take(parsed);
    return engine;
  }

  private constructor(ports: HookEnginePorts, records: HookRecordKeeper) {
    this.#ports = ports;
    this.records = records;
    this.#limits = { ...defaultLimits, ...ports.limits };
    this.#context = briefGit(ports.context, ports.clock);
    this.#dropped = new DroppedEvents(ports.clock, (run) => this.#runs.write(run));
    this.events = new Listeners(ports.onFault);
    this.#runs = new HookRuns({
      ...ports,
      limits: this.#limits,
      records,
      find: (hookId) => this.#index.find(hookId)?.hook,
      onIdle: (hookId) => this.#dropped.flush(hookId),
    });
    this.#admission = new EventAdmission({
      ...ports,
      limits: this.#limits,
      context: this.#context,
      records,
      runs: this.#runs,
      dropped: this.#dropped,
      onPause: () => this.events.emit({ kind: 'hooks-changed' }),
    });
    this.#runs.changes.subscribe((run) => this.events.emit({ kind: 'run-changed', run }));
  }

  get hooks(): readonly Hook[] {
    return this.#index.hooks;
  }

  get problems(): readonly HookProblem[] {
    return this.#problems;
  }

  /** The flow of a run, for the engine of the jobs. */
  get flow(): FlowOptions {
    return this.#runs.flow;
  }

  /**
   * Begins to follow events, and takes over the runs that an earlier program left. With `follows` false it follows none,
   * and only runs what other programs begin.
   */
  async start(jobs: JobEngine, { follows = true } = {}): Promise<void> {
    const following = await this.#runs.attach(jobs);
    const { store, sources, onFault } = this.#ports;
    const unwatch = store.watch(() => void this.reload().catch(onFault));
    this.#stop = () => {
      following[Symbol.dispose]();
      unwatch();
    };
    const ports = {
      wanted: () => this.#wanted(),
      emit: (event: HookEvent) => this.emit(event),
      onFault,
    };
    const followed = follows ? Object.values(sources) : [];
    const starting = followed.map((source) => source.start(ports));
    for (const outcome of await Promise.allSettled(starting)) {
      if (outcome.status === 'fulfilled') this.#sources = [...this.#sources, outcome.value];
      else onFault(outcome.reason);
    }
  }

  /** Reads hooks again, and considers what was agreed to meanwhile. */
  async reload(): Promise<void> {
    await this.#ports.trust.refresh?.();
    this.#take(await this.#ports.store.load());
    for (const source of this.#sources) source.refresh();
    this.events.emit({ kind: 'hooks-changed' });
  }

  /**
   * Takes note of something that happened; a hook runs once for it, however often it is told. Resolves when its runs are
   * stored; rejects when one could not be, and the event counts when it is told again.
   */
  async emit(event: HookEvent): Promise<void> {
    await this.#emit(event);
  }

  async #emit(event: HookEvent): Promise<readonly Refusal[]> {
    if (this.#closing.signal.aborted) return [];
    if (!this.recent.add(event)) return this.#deciding.get(event.id) ?? [];
    const waiting = this.#index.waitingFor(event);
    if (waiting.length === 0) return [];
    const decided = this.#decide(waiting, event).finally(() => this.#deciding.delete(event.id));
    this.#deciding.set(event.id, decided);
    return decided;
  }

  async #decide(waiting: readonly IndexedHook[], event: HookEvent): Promise<readonly Refusal[]> {
    const ends = await Promise.allSettled(
      waiting.map((indexed) => this.#admission.consider(indexed, event)),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed === undefined) {
      return ends.flatMap((end) => (end.status === 'fulfilled' ? (end.value ?? []) : []));
    }
    this.recent.forget(event);
    throw failed.reason;
  }

  /** The same, and answers with the ids of the runs that began, and with why others did not. */
  async emitAndWait(event: HookEvent): Promise<EmittedEvent> {
    if (this.#closing.signal.aborted) throw new HooksError('closed', 'Hooks do not run any more.');
    const waiting = this.hooksFor(event);
    const refusals = await this.#emit(event);
    const ids = waiting.map(async ({ id }) => {
      const run = runId(id, event);
      return (await this.find(run)) === undefined ? [] : [run];
    });
    return { runs: (await Promise.all(ids)).flat(), refusals };
  }

  /** The enabled hooks that wait for an event. */
  hooksFor(event: HookEvent): readonly Hook[] {
    return this.#index.waitingFor(event).map(({ hook }) => hook);
  }

  /** Runs a hook now, whatever its conditions, and even if it is disabled; not in a chain that ends with it. */
  async run(hookId: string, fields: HookEvent['fields'] = {}, chain?: Chain): Promise<HookRun> {
    const id = `manual:${randomUUID()}`;
    const at = this.#ports.clock.now();
    const event: HookEvent = { id, kind: 'manual', at, fields, hookId, ...(chain && { chain }) };
    const refusal = endOfChain(hookId, event, this.#limits);
    if (refusal) throw new HooksError('chain_ended', refusal);
    return this.#runNow(this.#found(hookId), event);
  }

  /** Runs a hook again, as it is now, for the event of an earlier run. */
  async rerun(runId: string): Promise<HookRun> {
    const earlier = await this.find(runId);
    if (earlier === undefined) throw new HooksError('unknown_run', `There is no run "${runId}".`);
    const { chain: _, ...event } = await this.#runs.eventOf(earlier);
    return this.#runNow(this.#found(earlier.hookId), event);
  }

  /** Runs that wait or work, and then those that have ended, the newest first. */
  async runs(query: RunQuery): Promise<readonly HookRun[]> {
    const active = this.#runs.active(query.hookId).toReversed();
    const ids = new Set(active.map(({ id }) => id));
    const ended = (await this.#ports.log.read(query)).filter(({ id }) => !ids.has(id));
    return [...active, ...ended].slice(0, query.limit);
  }

  find(runId: string): Promise<HookRun | undefined> {
    return this.#runs.find(runId);
  }

  /** Resolves with a run when it has ended. */
  ended(runId: string, signal?: AbortSignal): Promise<HookRun | undefined> {
    return this.#runs.ended(runId, signal);
  }

  /** Ends a run that waits or works, also at the server; answers with false when it had ended before. */
  cancel(runId: string): Promise<boolean> {
    return this.#runs.cancel(runId);
  }

  /** Switches a hook, and lets one that was paused run again. */
  async setEnabled(hookId: string, enabled: boolean): Promise<void> {
    const { hook } = this.#found(hookId);
    if (enabled) this.records.resume(hookId);
    if (hook.enabled !== enabled) {
      await this.#ports.store.save((hooks) =>
        hooks.map((each) => (each.id === hookId ? { ...each, enabled } : each)),
      );
    }
    await this.reload();
  }

  /** How many runs of a hook wait or work. */
  active(hookId: string): number {
    return this.#runs.active(hookId).length;
  }

  /** When a hook runs next by the clock. */
  nextRun(hookId: string): number | undefined {
    const times = this.#sources.flatMap((source) => source.nextRun?.(hookId) ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Follows no more events. Whoever opened the jobs closes them after this, and then the records. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#stop();
    await Promise.allSettled(this.#sources.map((source) => source[Symbol.asyncDispose]()));
    await this.#admission.idle();
    this.#dropped.flush();
  }

  #take({ hooks, problems }: ParsedHooks): void {
    this.#index = new HookIndex(hooks);
    this.#wantedTriggers = undefined;
    this.#problems = problems;
    this.#admission.forgetRefusals();
    // A file that cannot be read must not cost the hooks in it their records.
    if (problems.length === 0) this.records.keepOnly(new Set(hooks.map(({ id }) => id)));
  }

  /** Looked up once until hooks or agreements change: every source asks, and a verdict reads files. */
  #wanted(): readonly WantedTrigger[] {
    if (this.#wantedTriggers !== undefined) return this.#wantedTriggers;
    const judged = this.hooks
      .filter(({ enabled }) => enabled)
      .map((hook) => ({ hook, verdict: this.#ports.trust.verdict(hook) }));
    const wanted = judged
      .filter(({ verdict }) => verdict === 'trusted')
      .map(({ hook: { id, trigger } }) => ({ hookId: id, trigger }));
    // A file that was changed may be changed back.
    if (judged.every(({ verdict }) => verdict !== 'changed')) this.#wantedTriggers = wanted;
    return wanted;
  }

  #found(hookId: string): IndexedHook {
    const found = this.#index.find(hookId);
    if (found === undefined) throw new HooksError('unknown_hook', `There is no hook "${hookId}".`);
    return found;
  }

  async #runNow({ hook, needed }: IndexedHook, event: HookEvent): Promise<HookRun> {
    const verdict = this.#ports.trust.verdict(hook);
    if (verdict !== 'trusted') throw new HooksError('untrusted', refusalOf(hook, verdict));
    const fields = await contextFields(event, needed, this.#context);
    if (hook.mode === 'restart') await this.#runs.cancelAll(hook.id);
    return this.#runs.begin({ hook, event, fields, chain: chainOf(event, hook.id) }, randomUUID());
  }
}

/** What became of an event. */
export interface EmittedEvent {
  /** The ids of the runs that began. */
  readonly runs: readonly string[];
  /** Why hooks that are meant to run for it do not. */
  readonly refusals: readonly Refusal[];
}

/** Which runs are asked for. */
export interface RunQuery {
  readonly hookId?: string;
  readonly limit: number;
}
