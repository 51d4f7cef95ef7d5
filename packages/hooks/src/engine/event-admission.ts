import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ContextPorts, contextFields } from '../definitions/context-fields.ts';
import { failedCondition } from '../definitions/failed-condition.ts';
import type { Chain, HookEvent } from '../hook-event.ts';
import type { Hook } from '../hook-schema.ts';
import type { DroppedEvents } from './dropped-events.ts';
import type { HookEnginePorts, HookLimits } from './engine-ports.ts';
import type { IndexedHook } from './hook-index.ts';
import type { HookRecordKeeper } from './hook-records.ts';
import type { HookRuns } from './hook-runs.ts';

export interface EventAdmissionPorts extends Pick<HookEnginePorts, 'trust' | 'notifier' | 'clock'> {
  readonly limits: HookLimits;
  readonly context: ContextPorts;
  readonly records: HookRecordKeeper;
  readonly runs: HookRuns;
  readonly dropped: DroppedEvents;
  /** Called when a hook was paused. */
  readonly onPause: () => void;
}

/** Why an event that a hook is meant to run for began no run of it. */
export interface Refusal {
  readonly hookId: string;
  readonly kind: 'untrusted' | 'chain-ended' | 'paused' | 'busy';
  readonly message: string;
}

/** Events of one hook that wait for their conditions. */
const mostConsidered = 1_000;
/** Milliseconds for which conditions are tested in one go. */
const longestTurn = 8;

/** Decides whether an event that a hook waits for begins a run of it: agreement, chain, conditions, limits, mode. */
export class EventAdmission {
  readonly #ports: EventAdmissionPorts;
  /** The last event of each hook that is being decided on, so that the events of a hook stay in order. */
  readonly #lines = new Map<string, { last: Promise<void>; count: number }>();
  /** Hooks that nobody agreed to, and that a notice was sent about. */
  readonly #refused = new Set<string>();

  #turn: Promise<void> = Promise.resolve();
  #turnBegan = Number.NEGATIVE_INFINITY;

  constructor(ports: EventAdmissionPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when it is decided, and the run it began is stored; rejects when it could not be. Events of one hook are
   * decided on in order. Answers with why no run began, unless the event does not meet the conditions of the hook.
   */
  consider(indexed: IndexedHook, event: HookEvent): Promise<Refusal | undefined> {
    const { hook } = indexed;
    const line = this.#lines.get(hook.id) ?? { last: Promise.resolve(), count: 0 };
    this.#lines.set(hook.id, line);
    if (line.count >= mostConsidered) {
      return Promise.resolve(
        this.#drop(hook, event, 'busy', 'More events came than could be looked at.'),
      );
    }
    line.count += 1;
    const decided = line.last.then(() => this.#decide(indexed, event));
    const leave = () => {
      line.count -= 1;
      if (line.count === 0) this.#lines.delete(hook.id);
    };
    line.last = decided.then(leave, leave);
    return decided;
  }

  /** Sends the notice about a hook that nobody agreed to again. */
  forgetRefusals(): void {
    this.#refused.clear();
  }

  /** Resolves when nothing is being decided any more. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#lines.values()].map(({ last }) => last));
  }

  async #decide({ hook, needed }: IndexedHook, event: HookEvent): Promise<Refusal | undefined> {
    const { records, runs, context, limits } = this.#ports;
    const { id } = hook;
    // Before its conditions: whoever changed the hook may have changed them too.
    const unagreed = this.#refuse(hook);
    if (unagreed !== undefined) return unagreed;
    const refusal = endOfChain(id, event, limits);
    if (refusal !== undefined) return this.#drop(hook, event, 'chain-ended', refusal);
    const fields = await contextFields(event, needed, context);
    await this.#nextTurn();
    if (failedCondition(hook.conditions, fields) !== undefined) return undefined;
    if (records.of(id).pausedAt !== undefined) {
      return this.#drop(hook, event, 'paused', 'The hook is paused because it ran too often.');
    }
    if (records.isExhausted(hook)) return this.#pause(hook, event);
    const full = this.#lackOfRoom(hook);
    if (full !== undefined) return this.#drop(hook, event, 'busy', full);
    if (hook.mode === 'restart') await runs.cancelAll(id);
    await runs.begin({ hook, event, fields, chain: chainOf(event, id) }, runId(id, event));
    return undefined;
  }

  #drop(hook: Hook, event: HookEvent, kind: Refusal['kind'], message: string): Refusal {
    this.#ports.dropped.add(hook, event, message);
    return { hookId: hook.id, kind, message };
  }

  /** Lets other work of this program go on between the conditions of many hooks, which take milliseconds each. */
  #nextTurn(): Promise<void> {
    const { clock } = this.#ports;
    this.#turn = this.#turn.then(async () => {
      if (clock.monotonic() - this.#turnBegan < longestTurn) return;
      await setImmediate();
      this.#turnBegan = clock.monotonic();
    });
    return this.#turn;
  }

  /** Refuses a hook that nobody agreed to. A notice says so once, until hooks or agreements change. */
  #refuse(hook: Hook): Refusal | undefined {
    const { trust, notifier } = this.#ports;
    const verdict = trust.verdict(hook);
    if (verdict === 'trusted') return undefined;
    if (!this.#refused.has(hook.id)) {
      this.#refused.add(hook.id);
      const advice = [{ kind: 'review-trust' }] as const;
      notifier.notify({ level: 'warning', message: refusalOf(hook, verdict), advice });
    }
    const reason = reasonOf(verdict);
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
    return { hookId: hook.id, kind: 'untrusted', message };
  }

  #pause(hook: Hook, event: HookEvent): Refusal {
    const { records, notifier, onPause } = this.#ports;
    const { id, name, runsPerHour } = hook;
    records.pause(id);
    const message = `The hook "${name}" ran ${runsPerHour} times in an hour and is paused until it is enabled again.`;
    notifier.notify({ level: 'warning', message });
    const refusal = this.#drop(hook, event, 'paused', message);
    onPause();
    return refusal;
  }

  #lackOfRoom({ id, mode }: Hook): string | undefined {
    const { runs, limits } = this.#ports;
    const own = runs.active(id);
    if (mode === 'restart') return undefined;
    if (mode === 'single') return own.length > 0 ? 'The hook was still running.' : undefined;
    const waiting = own.filter(({ status }) => status === 'queued').length;
    if (waiting < limits.waiting) return undefined;
    return `${waiting} runs of the hook were waiting already.`;
  }
}

/** The same for the same hook and event, so that a run that is stored happens once. */
export function runId(hookId: string, event: HookEvent): string {
  return createHash('sha256').update(`${hookId}\n${event.id}`).digest('hex').slice(0, 32);
}

/** The chain of a run that an event begins. */
export function chainOf({ chain }: HookEvent, hookId: string): Chain {
  const { id = randomUUID(), depth = 0, hooks = [] } = chain ?? {};
  return { id, depth: depth + 1, hooks: [...hooks, hookId] };
}

/** Why a hook does not run for what it, or a long chain of hooks, caused. */
export function endOfChain(
  hookId: string,
  { chain }: HookEvent,
  limits: HookLimits,
): string | undefined {
  const { depth = 0, hooks = [], isAssumed = false } = chain ?? {};
  if (hooks.includes(hookId)) {
    return isAssumed
      ? 'This hook was acting, or had just acted, so that the event counts as caused by this hook itself. Say what its action writes to change that.'
      : 'The event was caused by this hook itself.';
  }
  return depth < limits.depth ? undefined : `The event is the end of a chain of ${depth} runs.`;
}

/** Says why a hook does not run that nobody agreed to. */
export function refusalOf({ name }: Hook, verdict: 'untrusted' | 'changed'): string {
  return `The hook "${name}" does not run: ${reasonOf(verdict)}.`;
}

function reasonOf(verdict: 'untrusted' | 'changed'): string {
  return verdict === 'changed'
    ? 'it changed since it was agreed to'
    : 'it came with this vault, and nobody on this machine has agreed to it';
}
