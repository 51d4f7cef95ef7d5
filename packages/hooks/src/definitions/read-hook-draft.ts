import { isRecord } from '@errand/wire';
import type { z } from 'zod';
import {
  type ActionType,
  actionSchema,
  conditionSchema,
  type Hook,
  hookSchema,
  triggerSchema,
} from '../hook-schema.ts';
import { type HookMistake, hookMistakes, unknownKeys } from './hook-mistakes.ts';

/** A hook as somebody is writing it: what is wrong with it, and what can be tried of it already. */
export interface HookDraft {
  /** In the order of the fields; empty when it can be stored. */
  readonly mistakes: readonly HookMistake[];
  /** The parts that can be read; a trigger that cannot is `manual`. */
  readonly hook: Hook;
  /** Of each action of the draft: its place in `hook.actions`, or what is wrong with it. */
  readonly actions: readonly DraftAction[];
}

export type DraftAction =
  | { readonly index: number }
  | { readonly type: ActionType; readonly problems: readonly string[] };

/** Reads a hook that may be unfinished; `id` is that of the hook it becomes. */
export function readHookDraft(raw: unknown, id: string): HookDraft {
  const draft = { ...(isRecord(raw) ? raw : {}), id };
  const whole = hookSchema.safeParse(draft);
  const found = whole.success ? hookMistakes(whole.data) : whole.error.issues.map(mistakeOf);
  const mistakes = [...unknownKeys(draft), ...found];
  const actions: Hook['actions'][number][] = [];
  const places = listOf(draft, 'actions').map((action, index): DraftAction => {
    const read = actionSchema.safeParse(action);
    if (read.success) return { index: actions.push(read.data) - 1 };
    const problems = mistakes
      .filter(({ path }) => path[0] === 'actions' && path[1] === index)
      .map(({ message }) => message);
    return { type: typeOf(action), problems };
  });
  const hook = whole.success ? whole.data : { ...readParts(draft), id, actions };
  return { mistakes, hook, actions: places };
}

function readParts(draft: Readonly<Record<string, unknown>>): Omit<Hook, 'id' | 'actions'> {
  const trigger = triggerSchema.safeParse(draft.trigger);
  const conditions = listOf(draft, 'conditions').flatMap((condition) => {
    const read = conditionSchema.safeParse(condition);
    return read.success ? [read.data] : [];
  });
  return {
    name: typeof draft.name === 'string' ? draft.name : '',
    enabled: true,
    trigger: trigger.success ? trigger.data : { kind: 'manual' },
    conditions,
    mode: 'queued',
    runsPerHour: 60,
    createdAt: 0,
    modifiedAt: 0,
  };
}

function mistakeOf({ path, message }: z.core.$ZodIssue): HookMistake {
  return { path: path.filter((key) => typeof key !== 'symbol'), message };
}

function listOf(draft: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const value = draft[key];
  return Array.isArray(value) ? value : [];
}

function typeOf(action: unknown): ActionType {
  const type = isRecord(action) ? action.type : undefined;
  return (
    actionSchema.options.map((option) => option.shape.type.value).find((one) => one === type) ??
    'mcp'
  );
}
