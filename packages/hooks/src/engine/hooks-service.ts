import { randomUUID } from 'node:crypto';
import { findServer } from '@errand/host';
import { isRecord } from '@errand/wire';
import type { AgentTurns } from '../bridge/agent-turns.ts';
import { checkHook, type HookFault, neverTold, uncheckedTools } from '../definitions/check-hook.ts';
import { contextFields, neededFields } from '../definitions/context-fields.ts';
import {
  type DryRun,
  dryRun,
  type EventVerdict,
  exampleEvent,
  explain,
  type HookExplanation,
} from '../definitions/explain.ts';
import type { MCPServer } from '../definitions/mcp-contract.ts';
import { hookFingerprint } from '../definitions/open-hook-trust.ts';
import type { HookProblem } from '../definitions/parse-hooks.ts';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import { isChain } from '../hook-chain.ts';
import type { Chain, HookEvent } from '../hook-event.ts';
import type { ActionPreview, ActionRunner, HookRun } from '../hook-run.ts';
import { type ActionType, type Hook, triggerSchema } from '../hook-schema.ts';
import { type AgentMessage, type AgentVerdict, answerAgent } from './answer-agent.ts';
import { briefGit } from './brief-git.ts';
import type { HookApproval, HookEnginePorts, HookRecord } from './engine-ports.ts';
import {
  HookEditing,
  type HookEditingPorts,
  type HookMistakes,
  type HookOptions,
  type HookPreview,
} from './hook-editing.ts';
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
  /** A digest of all that decides what it does; it goes with a change or an approval of what was shown. */
  readonly seen: string;
  /** The servers that its actions call, as far as they are registered. */
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** Tools that it calls and that may not exist, because their server has not listed its tools yet. */
  readonly unchecked?: ReturnType<typeof uncheckedTools>;
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
  /** With a chain it is a program of a hook that asks, and loops end. */
  run: { params: { hook: string; fields?: object; chain?: Chain }; result: { run: HookRun } };
  rerun: { params: { run: string }; result: { run: HookRun } };
  /** Answers when the run has ended. */
  wait: { params: { run: string }; result: { run: HookRun } };
  cancel: { params: { run: string }; result: { isCancelled: boolean } };
  runs: { params: { hook?: string; limit?: number }; result: { runs: readonly HookRun[] } };
  'show-run': { params: { run: string }; result: { run: HookRun } };
  emit: { params: { event: HookEvent }; result: { eventId: string; runs: readonly string[] } };
  /** An agent tells of an operation; answers when the hooks that it has to wait for have ended. */
  bridge: { params: AgentMessage; result: AgentVerdict };
  test: { params: { hook: string; event?: HookEvent }; result: HookTest };
  why: { params: { hook: string }; result: HookReasons };
  'set-enabled': { params: { hook: string; enabled: boolean }; result: HookView };
  options: { params: object; result: HookOptions };
  discover: { params: { refresh?: boolean }; result: { servers: readonly MCPServer[] } };
  preview: { params: { draft: object }; result: HookPreview };
  save: {
    params: { hook: object; seen?: string };
    result: { view: HookView } | { mistakes: HookMistakes };
  };
  remove: { params: { hook: string }; result: object };
  agree: { params: { hooks: readonly { hook: string; seen: string }[] }; result: object };
  /** Where a hook that waits for HTTP requests is reached; nothing before it was. */
  endpoint: { params: { hook: string }; result: { url?: string; token?: string } };
}

export interface HooksServicePorts
  extends HookEditingPorts,
    Pick<HookEnginePorts, 'runners' | 'context' | 'clock'> {
  endpoint?(hookId: string): Promise<{ readonly url: string; readonly token: string } | undefined>;
  readonly turns?: AgentTurns;
  /** Whether an agent hands its events to us. */
  readonly isBridged?: () => Promise<boolean>;
  /** Takes secrets out of what agents are told. */
  readonly redact?: (text: string) => string;
}

const kinds: ReadonlySet<unknown> = new Set(
  triggerSchema.options.map((option) => option.shape.kind.value),
);
const explainedEvents = 10;

/** Answers what programs ask about the hooks of a vault. */
export class HooksService {
  readonly #ports: HooksServicePorts;
  readonly #editing: HookEditing;
  readonly #untold = new Set<string>();

  constructor(ports: HooksServicePorts) {
    // A preview that follows typing asks git the same things again and again.
    this.#ports = { ...ports, context: briefGit(ports.context, ports.clock) };
    this.#editing = new HookEditing(ports);
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
    list: async () => {
      const { engine } = this.#ports;
      await this.#findUntold();
      return { hooks: engine.hooks.map((hook) => this.#view(hook)), problems: engine.problems };
    },
    reload: async () => {
      await this.#ports.engine.reload();
      return {};
    },
    run: async ({ hook, fields, chain }) => ({
      run: await this.#ports.engine.run(
        this.#find(hook).id,
        isRecord(fields) ? fields : {},
        isChain(chain) ? chain : undefined,
      ),
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
      const { runs } = await this.#ports.engine.emitAndWait(checked);
      return { eventId: checked.id, runs };
    },
    bridge: (told, signal) => {
      const { engine, turns, redact = String } = this.#ports;
      if (turns === undefined) throw new HooksError('closed', 'Agents are not heard here.');
      return answerAgent(told, { engine, turns, redact }, signal);
    },
    test: ({ hook, event }, signal) =>
      this.#test(this.#find(hook), event && this.#checked(event), signal),
    why: ({ hook }) => this.#why(this.#find(hook)),
    'set-enabled': async ({ hook, enabled }) => {
      const { id } = this.#find(hook);
      await this.#ports.engine.setEnabled(id, enabled);
      return this.#view(this.#find(id));
    },
    options: () => this.#editing.options(),
    discover: async ({ refresh }) => ({ servers: await this.#editing.discover(refresh === true) }),
    preview: ({ draft }, signal) =>
      this.#editing.preview(draft, (hook) => this.#test(hook, undefined, signal)),
    save: async ({ hook, seen }) => {
      const saved = await this.#editing.save(hook, seen);
      return 'mistakes' in saved ? saved : { view: this.#view(this.#find(saved.id)) };
    },
    remove: async ({ hook }) => {
      await this.#editing.remove(this.#find(hook));
      return {};
    },
    agree: async ({ hooks }) => {
      await this.#editing.agree(hooks.map(({ hook, seen }) => ({ hook: this.#find(hook), seen })));
      return {};
    },
    endpoint: async ({ hook }) => (await this.#ports.endpoint?.(this.#find(hook).id)) ?? {},
  };

  #view(hook: Hook): HookView {
    const { engine, trust } = this.#ports;
    const { startedAt: _, ...record } = engine.records.of(hook.id);
    const nextRun = engine.nextRun(hook.id);
    const unchecked = uncheckedTools(hook, this.#ports.host);
    return {
      hook,
      ...record,
      verdict: trust.verdict(hook),
      faults: this.#faults(hook),
      ...(nextRun !== undefined && { nextRun }),
      active: engine.active(hook.id),
      seen: hookFingerprint(hook),
      servers: this.#serversOf(hook),
      ...(unchecked.length > 0 && { unchecked }),
    };
  }

  #serversOf({ actions }: Hook): HookView['servers'] {
    const { settings } = this.#ports.host.servers;
    const ids = actions.flatMap((each) => (each.type === 'mcp' ? [each.parameters.serverId] : []));
    return [...new Set(ids)].flatMap((given) => {
      const found = findServer(settings, given);
      return found ? [{ id: found.id, name: found.name }] : [];
    });
  }

  #faults(hook: Hook): readonly HookFault[] {
    const untold = this.#untold.has(hook.id) ? neverTold(hook) : undefined;
    return [...checkHook(hook, this.#ports.host), ...(untold ? [untold] : [])];
  }

  /** Finds the hooks on beginnings that nobody tells of: no bridge is there, and no such event ever came. */
  async #findUntold(): Promise<void> {
    const { engine, isBridged = async () => true } = this.#ports;
    const waiting = engine.hooks.filter((hook) => neverTold(hook) !== undefined);
    this.#untold.clear();
    if (waiting.length === 0 || (await isBridged())) return;
    for (const hook of waiting) {
      const events = await this.#recorded(hook);
      if (!events.some((event) => triggerMatches(hook.trigger, event))) this.#untold.add(hook.id);
    }
  }

  async #test(hook: Hook, given: HookEvent | undefined, signal: AbortSignal): Promise<HookTest> {
    const { runners, trust, clock } = this.#ports;
    const recorded = given === undefined ? await this.#recorded(hook) : [];
    const last = recorded.find((each) => triggerMatches(hook.trigger, each));
    const event = given ?? last ?? exampleEvent(hook.trigger, clock.now());
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
    const { engine, trust, context, clock } = this.#ports;
    await this.#findUntold();
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
    const explained = explain(hook, events, clock.now());
    return {
      ...explained,
      events: explained.events.map((each) => withRun(each, runs)),
      verdict: trust.verdict(hook),
      ...(pausedAt !== undefined && { pausedAt }),
      faults: this.#faults(hook),
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
    const { hooks, problems } = this.#ports.engine;
    const wanted = String(nameOrId).toLowerCase();
    const found =
      hooks.find(({ id }) => id === nameOrId) ??
      hooks.find(({ name }) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    const broken = problems.find(
      ({ hookId, hookName }) => hookId === nameOrId || hookName?.toLowerCase() === wanted,
    );
    const why =
      broken === undefined
        ? `There is no hook "${nameOrId}".`
        : `The hook "${nameOrId}" cannot be used. .errand/hooks.json:${broken.line}:${broken.column}: ${broken.message}`;
    throw new HooksError('unknown_hook', why);
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

/** An event that fits, with what became of it. */
function withRun(verdict: EventVerdict, runs: readonly HookRun[]): EventVerdict {
  const run = runs.find(({ event }) => event.id === verdict.eventId);
  if (verdict.kind !== 'runs' || run === undefined) return verdict;
  const { status, message } = run;
  return { ...verdict, run: { status, ...(message !== undefined && { message }) } };
}

function unknownRun(id: string): HooksError {
  return new HooksError('unknown_run', `There is no run "${id}".`);
}
