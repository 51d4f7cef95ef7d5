import { randomUUID } from 'node:crypto';
import { isRecord } from '@errand/wire';
import { type CheckHost, checkHook, type HookFault } from '../definitions/check-hook.ts';
import { contextFields, neededFields } from '../definitions/context-fields.ts';
import {
  type DryRun,
  dryRun,
  exampleEvent,
  explain,
  type HookExplanation,
} from '../definitions/explain.ts';
import type { HookProblem } from '../definitions/parse-hooks.ts';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import type { HookEvent } from '../hook-event.ts';
import type { ActionPreview, ActionRunner, HookRun } from '../hook-run.ts';
import { type ActionType, type Hook, triggerSchema } from '../hook-schema.ts';
import type { HookApproval, HookEnginePorts, HookRecord } from './engine-ports.ts';
import type { HookEngine } from './hook-engine.ts';
import { HooksError } from './hooks-error.ts';

/** A hook with all that is known of it. */
export interface HookView extends Omit<HookRecord, 'startedAt'> {
  readonly hook: Hook;
  readonly verdict: ReturnType<HookApproval['verdict']>;
  /** Why it would not do what it says. */
  readonly faults: readonly HookFault[];
  /** When it runs next by the clock. */
  readonly nextRun?: number;
  /** Runs that wait or work. */
  readonly active: number;
}

/** What a hook would do on an event. */
export interface HookTest extends DryRun {
  readonly event: HookEvent;
  /** Where the event is from. */
  readonly origin: 'given' | 'recorded' | 'example';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly verdict: HookView['verdict'];
  readonly actions: readonly (ActionPreview & { readonly type: ActionType })[];
}

/** Why a hook did not run. */
export interface HookReasons extends HookExplanation {
  readonly verdict: HookView['verdict'];
  readonly pausedAt?: number;
  readonly faults: readonly HookFault[];
  /** Events that it would have run for, and why it did not, the newest first. */
  readonly skipped: readonly { readonly at: number; readonly message: string }[];
}

/** What can be asked of the hooks of a vault: parameters and answers. */
export interface HooksMethods {
  list: {
    params: object;
    result: { hooks: readonly HookView[]; problems: readonly HookProblem[] };
  };
  reload: { params: object; result: object };
  run: { params: { hook: string; fields?: object }; result: { run: HookRun } };
  rerun: { params: { run: string }; result: { run: HookRun } };
  /** Answers when the run has ended. */
  wait: { params: { run: string }; result: { run: HookRun } };
  cancel: { params: { run: string }; result: { isCancelled: boolean } };
  runs: { params: { hook?: string; limit?: number }; result: { runs: readonly HookRun[] } };
  'show-run': { params: { run: string }; result: { run: HookRun } };
  emit: { params: { event: HookEvent }; result: { eventId: string; runs: readonly string[] } };
  test: { params: { hook: string; event?: HookEvent }; result: HookTest };
  why: { params: { hook: string }; result: HookReasons };
  'set-enabled': { params: { hook: string; enabled: boolean }; result: HookView };
}

export interface HooksServicePorts
  extends Pick<HookEnginePorts, 'trust' | 'runners' | 'context' | 'clock'> {
  readonly engine: HookEngine;
  readonly host: CheckHost;
}

const kinds: ReadonlySet<unknown> = new Set(
  triggerSchema.options.map((option) => option.shape.kind.value),
);
const explainedEvents = 10;

/** Answers what programs ask about the hooks of a vault. */
export class HooksService {
  readonly #ports: HooksServicePorts;

  constructor(ports: HooksServicePorts) {
    this.#ports = ports;
  }

  /** Answers a request that came as JSON, from any program of the same user. */
  async answer(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (!Object.hasOwn(this.#methods, method)) {
      throw new HooksError('invalid', `Hooks do not know "${method}".`);
    }
    const handler = this.#methods[method as keyof HooksMethods] as (
      params: object,
      signal: AbortSignal,
    ) => unknown;
    return handler(params, signal);
  }

  readonly #methods: {
    readonly [Method in keyof HooksMethods]: (
      params: HooksMethods[Method]['params'],
      signal: AbortSignal,
    ) => HooksMethods[Method]['result'] | Promise<HooksMethods[Method]['result']>;
  } = {
    list: () => {
      const { engine } = this.#ports;
      return { hooks: engine.hooks.map((hook) => this.#view(hook)), problems: engine.problems };
    },
    reload: async () => {
      await this.#ports.engine.reload();
      return {};
    },
    run: async ({ hook, fields }) => ({
      run: await this.#ports.engine.run(this.#find(hook).id, isRecord(fields) ? fields : {}),
    }),
    rerun: async ({ run }) => ({
      run: await this.#ports.engine.rerun((await this.#findRun(run)).id),
    }),
    wait: async ({ run }, signal) => {
      const ended = await this.#ports.engine.ended(run, signal);
      if (ended === undefined) throw unknownRun(run);
      return { run: ended };
    },
    cancel: async ({ run }) => ({
      isCancelled: await this.#ports.engine.cancel((await this.#findRun(run)).id),
    }),
    runs: async ({ hook, limit = 20 }) => {
      const hookId = hook === undefined ? undefined : this.#find(hook).id;
      const query = { limit, ...(hookId !== undefined && { hookId }) };
      return { runs: await this.#ports.engine.runs(query) };
    },
    'show-run': async ({ run }) => ({ run: await this.#findRun(run) }),
    emit: async ({ event }) => {
      const checked = this.#checked(event);
      const runs = await this.#ports.engine.emitAndWait(checked);
      return { eventId: checked.id, runs };
    },
    test: ({ hook, event }, signal) =>
      this.#test(this.#find(hook), event && this.#checked(event), signal),
    why: ({ hook }) => this.#why(this.#find(hook)),
    'set-enabled': async ({ hook, enabled }) => {
      const { id } = this.#find(hook);
      await this.#ports.engine.setEnabled(id, enabled);
      return this.#view(this.#find(id));
    },
  };

  #view(hook: Hook): HookView {
    const { engine, trust, host } = this.#ports;
    const { startedAt: _, ...record } = engine.records.of(hook.id);
    const nextRun = engine.nextRun(hook.id);
    return {
      hook,
      ...record,
      verdict: trust.verdict(hook),
      faults: checkHook(hook, host),
      ...(nextRun !== undefined && { nextRun }),
      active: engine.active(hook.id),
    };
  }

  async #test(hook: Hook, given: HookEvent | undefined, signal: AbortSignal): Promise<HookTest> {
    const { runners, trust } = this.#ports;
    const recorded = given === undefined ? await this.#recorded(hook) : [];
    const last = recorded.find((each) => triggerMatches(hook.trigger, each));
    const event = given ?? last ?? { ...exampleEvent(hook.trigger), at: this.#ports.clock.now() };
    const origin = given ? 'given' : last ? 'recorded' : 'example';
    const own = hook.trigger.kind === 'manual' || origin === 'example' ? { hookId: hook.id } : {};
    const tested = { ...event, ...own };
    const fields = await contextFields(tested, neededFields(hook), this.#ports.context);
    const chain = { id: 'test', depth: 1, hooks: [hook.id] };
    // What earlier actions would give is not known; templates that use it say so.
    const context = { hook, event: tested, chain, fields: { ...fields, actions: [] }, signal };
    const actions = await Promise.all(
      hook.actions.map(async (action) => {
        const runner = runners[action.type] as ActionRunner<ActionType>;
        return { type: action.type, ...(await runner.preview(action, context)) };
      }),
    );
    const verdict = trust.verdict(hook);
    return { ...dryRun(hook, { event: tested, fields }), event, origin, fields, verdict, actions };
  }

  async #why(hook: Hook): Promise<HookReasons> {
    const { engine, trust, host, context } = this.#ports;
    const recent = (await this.#recorded(hook)).slice(0, explainedEvents);
    const needed = neededFields(hook);
    const events = await Promise.all(
      recent.map(async (event) => ({ event, fields: await contextFields(event, needed, context) })),
    );
    const runs = await engine.runs({ hookId: hook.id, limit: 50 });
    const skipped = runs
      .filter(({ status, actions }) => status === 'skipped' && actions.length === 0)
      .map(({ startedAt, message = '' }) => ({ at: startedAt, message }));
    const { pausedAt } = engine.records.of(hook.id);
    return {
      ...explain(hook, events),
      verdict: trust.verdict(hook),
      ...(pausedAt !== undefined && { pausedAt }),
      faults: checkHook(hook, host),
      skipped: skipped.slice(0, explainedEvents),
    };
  }

  /** Events that a hook was, or could have been, about: those that were seen, then those of its runs. */
  async #recorded(hook: Hook): Promise<readonly HookEvent[]> {
    const { engine } = this.#ports;
    const seen = engine.recent.of(hook.trigger.kind);
    const isFor = ({ hookId = hook.id }: HookEvent) => hookId === hook.id;
    const ran = (await engine.runs({ hookId: hook.id, limit: 20 })).map(({ event }) => event);
    const known = new Set(seen.map(({ id }) => id));
    return [...seen, ...ran.filter(({ id, kind }) => kind !== 'manual' && !known.has(id))].filter(
      isFor,
    );
  }

  #find(nameOrId: string): Hook {
    const { hooks } = this.#ports.engine;
    const wanted = String(nameOrId).toLowerCase();
    const found =
      hooks.find(({ id }) => id === nameOrId) ??
      hooks.find(({ name }) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    throw new HooksError('unknown_hook', `There is no hook "${nameOrId}".`);
  }

  async #findRun(id: string): Promise<HookRun> {
    const found = await this.#ports.engine.find(String(id));
    if (found === undefined) throw unknownRun(id);
    return found;
  }

  /** An event of another program, with an id where it has none. */
  #checked(event: unknown): HookEvent {
    if (!isRecord(event) || !kinds.has(event.kind)) {
      const known = [...kinds].join(', ');
      throw new HooksError('invalid', `An event has a kind, which is one of ${known}.`);
    }
    const { id, at, fields, hookId, chain } = event;
    return {
      id: typeof id === 'string' && id !== '' ? id : `emitted:${randomUUID()}`,
      kind: event.kind as HookEvent['kind'],
      at: typeof at === 'number' ? at : this.#ports.clock.now(),
      fields: isRecord(fields) ? fields : {},
      ...(typeof hookId === 'string' && { hookId: this.#find(hookId).id }),
      ...(isChain(chain) && { chain }),
    };
  }
}

function isChain(value: unknown): value is NonNullable<HookEvent['chain']> {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.depth === 'number' &&
    Array.isArray(value.hooks) &&
    value.hooks.every((hook) => typeof hook === 'string')
  );
}

function unknownRun(id: string): HooksError {
  return new HooksError('unknown_run', `There is no run "${id}".`);
}
