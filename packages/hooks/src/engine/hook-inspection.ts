import { findServer } from '@errand/host';
import { checkHook, type HookFault, neverTold, uncheckedTools } from '../definitions/check-hook.ts';
import { contextFields, neededFields } from '../definitions/context-fields.ts';
import { dryRun, type EventVerdict, exampleEvent, explain } from '../definitions/explain.ts';
import { hookFingerprint } from '../definitions/open-hook-trust.ts';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import type { HookEvent } from '../hook-event.ts';
import type { ActionRunner, HookRun } from '../hook-run.ts';
import type { ActionType, Hook } from '../hook-schema.ts';
import { briefGit } from './brief-git.ts';
import type { HookEnginePorts } from './engine-ports.ts';
import type { HookEditingPorts } from './hook-editing.ts';
import type { HookReasons, HookTest, HookView } from './hooks-methods.ts';

export interface HookInspectionPorts
  extends Pick<HookEditingPorts, 'engine' | 'trust' | 'host'>,
    Pick<HookEnginePorts, 'runners' | 'context' | 'clock'> {
  /** Whether an agent hands its events to us. */
  readonly isBridged?: () => Promise<boolean>;
}

const explainedEvents = 10;

/** What hooks are, would do on an event, and why they did not run. */
export class HookInspection {
  readonly #ports: HookInspectionPorts;
  #untold: ReadonlySet<string> = new Set();

  constructor(ports: HookInspectionPorts) {
    // A preview that follows typing asks git the same things again and again.
    this.#ports = { ...ports, context: briefGit(ports.context, ports.clock) };
  }

  async views(): Promise<readonly HookView[]> {
    await this.#findUntold();
    return this.#ports.engine.hooks.map((hook) => this.view(hook));
  }

  view(hook: Hook): HookView {
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
    const untold = new Set<string>();
    if (waiting.length > 0 && !(await isBridged())) {
      for (const hook of waiting) {
        const events = await this.#recorded(hook);
        if (!events.some((event) => triggerMatches(hook.trigger, event))) untold.add(hook.id);
      }
    }
    this.#untold = untold;
  }

  /** What a hook would do on an event: a given one, the latest that fits, or an example. */
  async test(hook: Hook, given: HookEvent | undefined, signal: AbortSignal): Promise<HookTest> {
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

  /** Why a hook ran or not on what happened lately. */
  async why(hook: Hook): Promise<HookReasons> {
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
}

/** An event that fits, with what became of it. */
function withRun(verdict: EventVerdict, runs: readonly HookRun[]): EventVerdict {
  const run = runs.find(({ event }) => event.id === verdict.eventId);
  if (verdict.kind !== 'runs' || run === undefined) return verdict;
  const { status, message } = run;
  return { ...verdict, run: { status, ...(message !== undefined && { message }) } };
}
