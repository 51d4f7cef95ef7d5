import { Cron } from 'croner';
import type { HookEvent } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import type { Condition, Hook, Trigger } from '../hook-schema.ts';
import { type FailedCondition, failedCondition } from './failed-condition.ts';
import { readField } from './read-field.ts';
import { type TriggerMismatch, triggerMismatch } from './trigger-matches.ts';

/** An event that happened, with the fields that were collected for hooks at that time. */
export interface RecordedEvent {
  readonly event: HookEvent;
  /** Without them, those of the event itself count. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Why a hook did or did not run. Values are shortened. */
export interface HookExplanation {
  readonly isEnabled: boolean;
  /** The latest first; of events of other kinds nothing is said. */
  readonly events: readonly EventVerdict[];
  /** What would make it run; only when no event of its kind came. */
  readonly example?: HookEvent;
}

/** What became of one event. */
export type EventVerdict = { readonly eventId: string; readonly at: number } & (
  | {
      readonly kind: 'runs';
      /** How its run ended, as far as the log has it; a message says why one was skipped or failed. */
      readonly run?: { readonly status: HookRun['status']; readonly message?: string };
    }
  | ({ readonly kind: 'trigger' } & TriggerMismatch)
  | ({ readonly kind: 'condition' } & FailedCondition)
);

/** Says of the last events which condition kept a hook from running on each, or that none came and what would be one. */
export function explain(
  hook: Hook,
  recorded: readonly RecordedEvent[],
  now: number,
): HookExplanation {
  const events = recorded
    .filter(({ event }) => concerns(hook, event))
    .toSorted((a, b) => b.event.at - a.event.at)
    .map((one) => verdictOn(hook, one));
  const { enabled: isEnabled, trigger } = hook;
  return { isEnabled, events, ...(events.length === 0 && { example: exampleEvent(trigger, now) }) };
}

/** What an event would do to a hook, whether it is enabled or not. */
export interface DryRun {
  readonly mismatch?: TriggerMismatch;
  readonly conditions: readonly {
    readonly condition: Condition;
    readonly actual: unknown;
    readonly holds: boolean;
  }[];
  readonly wouldRun: boolean;
}

/** Tests trigger and all conditions of a hook on an event, and does nothing. */
export function dryRun(hook: Hook, { event, fields = event.fields }: RecordedEvent): DryRun {
  const mismatch = triggerMismatch(hook.trigger, event);
  const conditions = hook.conditions.map((condition) => ({
    condition,
    actual: shorten(readField(fields, condition.field)),
    holds: failedCondition([condition], fields) === undefined,
  }));
  const wouldRun = mismatch === undefined && conditions.every(({ holds }) => holds);
  return { ...(mismatch && { mismatch }), conditions, wouldRun };
}

function concerns({ id, trigger }: Hook, { kind, hookId }: HookEvent): boolean {
  return hookId === undefined ? kind === trigger.kind : hookId === id;
}

function verdictOn(hook: Hook, { event, fields = event.fields }: RecordedEvent): EventVerdict {
  const about = { eventId: event.id, at: event.at };
  const mismatch = triggerMismatch(hook.trigger, event);
  if (mismatch !== undefined) {
    return { ...about, kind: 'trigger', ...mismatch, actual: shorten(mismatch.actual) };
  }
  const failed = failedCondition(hook.conditions, fields);
  if (failed === undefined) return { ...about, kind: 'runs' };
  return { ...about, kind: 'condition', ...failed, actual: shorten(failed.actual) };
}

/** A value as it is shown: long texts are cut, and of lists and mappings only the kind is said. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  if (Array.isArray(value)) {
    return value.length > 20 ? `a list of ${value.length}` : value.map(shortenPart);
  }
  return shortenPart(value);
}

function shortenPart(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return typeof value === 'object' && value !== null ? 'a mapping or list' : value;
}

/** An event that would make a hook with this trigger run; `now` is when somebody asks. */
export function exampleEvent(trigger: Trigger, now: number): HookEvent {
  const about = { id: 'example', at: now, kind: trigger.kind } as const;
  switch (trigger.kind) {
    case 'agent-operation': {
      const { agent, operation, timing } = trigger;
      return { ...about, fields: { agent, operation, timing } };
    }
    case 'file': {
      const path = trigger.glob
        .replaceAll('**/', '')
        .replace(/\*+/g, 'example')
        .replaceAll('?', 'x');
      const name = path.slice(path.lastIndexOf('/') + 1);
      const file = { event: trigger.events[0], path, name };
      return { ...about, fields: { filePath: path, fileName: name, file } };
    }
    case 'git': {
      const branch = trigger.branch ?? 'main';
      return { ...about, fields: { branch, git: { event: trigger.events[0], branch } } };
    }
    case 'call': {
      const { server = 'example', tool = 'example', status, source = 'command' } = trigger;
      const [ended = 'success'] = status ?? [];
      const error = { code: 'tool_error', message: 'An example of what went wrong.' };
      const call = { server, tool, status: ended, source, ...(ended !== 'success' && { error }) };
      return { ...about, fields: { call } };
    }
    case 'server':
      return { ...about, fields: { server: { event: trigger.events[0], name: 'example' } } };
    case 'mail':
      return { ...about, fields: { mail: { event: trigger.events[0], subject: 'Example' } } };
    case 'schedule': {
      const { cron, timeZone } = trigger;
      const zone = timeZone === undefined ? {} : { timeZone };
      const at = nextTime(trigger, now)?.toISOString();
      const schedule = { cron, ...zone, ...(at && { at }), lateMs: 0, missed: 0 };
      return { ...about, hookId: 'this hook', fields: { schedule } };
    }
    case 'http': {
      const http = { body: {}, contentType: 'application/json', query: {}, headers: {} };
      return { ...about, hookId: 'this hook', fields: { http } };
    }
    case 'manual':
      return { ...about, hookId: 'this hook', fields: {} };
  }
}

function nextTime(
  { cron, timeZone }: Extract<Trigger, { kind: 'schedule' }>,
  now: number,
): Date | null {
  const zone = timeZone === undefined ? {} : { timezone: timeZone };
  return new Cron(cron, { mode: '5-part', ...zone }).nextRun(new Date(now));
}
