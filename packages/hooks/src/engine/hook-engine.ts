import { createHash, randomUUID } from 'node:crypto';
import { Listeners } from '@errand/host';
import type { FlowOptions, JobEngine } from '@errand/jobs';
import { type ContextPorts, contextFields } from '../definitions/context-fields.ts';
import { failedCondition } from '../definitions/failed-condition.ts';
import type { HookProblem, ParsedHooks } from '../definitions/parse-hooks.ts';
import type { Chain, HookEvent, RunningSource } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';
import { briefGit } from './brief-git.ts';
import { DroppedEvents } from './dropped-events.ts';
import { defaultLimits, type HookEnginePorts, type HookLimits } from './engine-ports.ts';
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
  /** The last event of each hook that is still looked at, so that the events of a hook stay in order. */
  readonly #considering = new Map<string, { last: Promise<void>; count: number }>();
  /** Hooks that nobody agreed to, and that this was said of. */
  readonly #refused = new Set<string>();
  readonly #closing = new AbortController();
  #index = new HookIndex([]);
  #problems: readonly HookProblem[] = [];
  #sources: readonly RunningSource[] = [];
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

  /** Begins to follow events, and takes over the runs that an earlier program left. */
  async start(jobs: JobEngine): Promise<void> {
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
    const starting = Object.values(sources).map((source) => source.start(ports));
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

  /** Takes note of something that happened; a hook runs once for it, however often it is told. */
  emit(event: HookEvent): void {
    if (this.#closing.signal.aborted || !this.recent.add(event)) return;
    for (const indexed of this.#index.waitingFor(event)) this.#consider(indexed, event);
  }

  /** The same, and answers with the ids of the runs that began, once that is decided. */
  async emitAndWait(event: HookEvent): Promise<readonly string[]> {
    const waiting = this.#index.waitingFor(event);
    this.emit(event);
    const ids = waiting.map(async ({ hook: { id } }) => {
      await this.#considering.get(id)?.last;
      const run = runId(id, event);
      return (await this.find(run)) === undefined ? [] : [run];
    });
    return (await Promise.all(ids)).flat();
  }

  /** Runs a hook now, whatever its conditions, and even if it is disabled. */
  async run(hookId: string, fields: HookEvent['fields'] = {}): Promise<HookRun> {
    const id = `manual:${randomUUID()}`;
    const event: HookEvent = { id, kind: 'manual', at: this.#ports.clock.now(), fields, hookId };
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
    await Promise.allSettled([...this.#considering.values()].map(({ last }) => last));
    this.#dropped.flush();
  }

  #take({ hooks, problems }: ParsedHooks): void {
    this.#index = new HookIndex(hooks);
    this.#problems = problems;
    this.#refused.clear();
    // A file that cannot be read must not cost the hooks in it their records.
    if (problems.length === 0) this.records.keepOnly(new Set(hooks.map(({ id }) => id)));
  }

  #wanted() {
    return this.hooks
      .filter((hook) => hook.enabled && this.#ports.trust.verdict(hook) === 'trusted')
      .map(({ id, trigger }) => ({ hookId: id, trigger }));
  }

  #found(hookId: string): IndexedHook {
    const found = this.#index.find(hookId);
    if (found === undefined) throw new HooksError('unknown_hook', `There is no hook "${hookId}".`);
    return found;
  }

  /** Looks at the events of a hook one after the other: what their conditions need takes time. */
  #consider(indexed: IndexedHook, event: HookEvent): void {
    const { hook } = indexed;
    const line = this.#considering.get(hook.id) ?? { last: Promise.resolve(), count: 0 };
    this.#considering.set(hook.id, line);
    if (line.count >= mostConsidered) {
      this.#dropped.add(hook, event, 'More events came than could be looked at.');
      return;
    }
    line.count += 1;
    line.last = line.last
      .then(() => this.#decide(indexed, event))
      .catch(this.#ports.onFault)
      .finally(() => {
        line.count -= 1;
        if (line.count === 0) this.#considering.delete(hook.id);
      });
  }

  async #decide({ hook, needed }: IndexedHook, event: HookEvent): Promise<void> {
    const { id } = hook;
    if (this.#refuses(hook)) return;
    const { depth = 0, hooks = [] } = event.chain ?? {};
    const refusal = hooks.includes(id)
      ? 'The event was caused by this hook itself.'
      : depth >= this.#limits.depth && `The event is the end of a chain of ${depth} runs.`;
    if (refusal) {
      this.#dropped.add(hook, event, refusal);
      return;
    }
    const fields = await contextFields(event, needed, this.#context);
    if (failedCondition(hook.conditions, fields) !== undefined) return;
    if (this.records.of(id).pausedAt !== undefined) {
      this.#dropped.add(hook, event, 'The hook is paused because it ran too often.');
    } else if (this.records.isExhausted(hook)) this.#pause(hook, event);
    else if (this.#hasRoom(hook, event)) {
      if (hook.mode === 'restart') await this.#runs.cancelAll(id);
      await this.#runs.begin({ hook, event, fields, chain: chainOf(event, id) }, runId(id, event));
    }
  }

  /** Whether nobody agreed to a hook; told once until hooks or agreements change. */
  #refuses(hook: Hook): boolean {
    const verdict = this.#ports.trust.verdict(hook);
    if (verdict === 'trusted') return false;
    if (!this.#refused.has(hook.id)) {
      this.#refused.add(hook.id);
      const advice = [{ kind: 'review-trust' }] as const;
      this.#ports.notifier.notify({ level: 'warning', message: refusalOf(hook, verdict), advice });
    }
    return true;
  }

  #pause(hook: Hook, event: HookEvent): void {
    const { id, name, runsPerHour } = hook;
    this.records.pause(id);
    const message = `The hook "${name}" ran ${runsPerHour} times in an hour and is paused until it is enabled again.`;
    this.#ports.notifier.notify({ level: 'warning', message });
    this.#dropped.add(hook, event, message);
    this.events.emit({ kind: 'hooks-changed' });
  }

  #hasRoom(hook: Hook, event: HookEvent): boolean {
    const own = this.#runs.active(hook.id);
    const waiting = own.filter(({ status }) => status === 'queued').length;
    const refusal =
      hook.mode === 'single'
        ? own.length > 0 && 'The hook was still running.'
        : hook.mode !== 'restart' &&
          waiting >= this.#limits.waiting &&
          `${waiting} runs of the hook were waiting already.`;
    if (refusal) this.#dropped.add(hook, event, refusal);
    return !refusal;
  }

  async #runNow({ hook, needed }: IndexedHook, event: HookEvent): Promise<HookRun> {
    const verdict = this.#ports.trust.verdict(hook);
    if (verdict !== 'trusted') throw new HooksError('untrusted', refusalOf(hook, verdict));
    const fields = await contextFields(event, needed, this.#context);
    if (hook.mode === 'restart') await this.#runs.cancelAll(hook.id);
    return this.#runs.begin({ hook, event, fields, chain: chainOf(event, hook.id) }, randomUUID());
  }
}

/** Which runs are asked for. */
export interface RunQuery {
  readonly hookId?: string;
  readonly limit: number;
}

/** Events of one hook that wait for their conditions. */
const mostConsidered = 1_000;

/** The same for the same hook and event, so that a run that is stored happens once. */
function runId(hookId: string, event: HookEvent): string {
  return createHash('sha256').update(`${hookId}\n${event.id}`).digest('hex').slice(0, 32);
}

function chainOf({ chain }: HookEvent, hookId: string): Chain {
  const { id = randomUUID(), depth = 0, hooks = [] } = chain ?? {};
  return { id, depth: depth + 1, hooks: [...hooks, hookId] };
}

function refusalOf({ name }: Hook, verdict: 'untrusted' | 'changed'): string {
  const why =
    verdict === 'changed'
      ? 'it changed since it was agreed to'
      : 'it came with this vault, and nobody on this machine has agreed to it';
  return `The hook "${name}" does not run: ${why}.`;
}
