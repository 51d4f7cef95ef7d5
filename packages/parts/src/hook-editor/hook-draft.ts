import type { ActionType, Condition, Hook, ParameterMapping, TriggerKind } from '@errand/hooks';
import { actionFields } from './action-fields.ts';
import { type FieldValues, fillFields, readFields } from './form-fields.ts';
import { triggerKinds } from './trigger-fields.ts';

/** A hook as it is typed. */
export interface HookDraft {
  /** Missing while the hook is new. */
  readonly id?: string;
  readonly createdAt?: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: { readonly kind: TriggerKind; readonly values: FieldValues };
  readonly conditions: readonly ConditionDraft[];
  readonly mode: Hook['mode'];
  readonly max: string;
  readonly runsPerHour: string;
  readonly actions: readonly ActionDraft[];
}

export interface ConditionDraft {
  /** Stable while others are added and removed. */
  readonly key: number;
  readonly field: string;
  readonly test: 'equals' | 'in' | 'matches' | 'glob' | 'exists';
  readonly not: boolean;
  /** A list has commas. */
  readonly text: string;
  /** The value that was stored, and its text: a list or number stays what it was unless it is changed. */
  readonly stored?: { readonly text: string; readonly value: unknown };
}

export interface ActionDraft {
  readonly key: number;
  readonly type: ActionType;
  readonly stopsOnError: boolean;
  readonly serverId: string;
  readonly toolName: string;
  readonly mappings: readonly ParameterMapping[];
  readonly values: FieldValues;
  /** Stored parameters that no field shows; they stay while the type is the same. */
  readonly rest?: {
    readonly type: ActionType;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** A hook without anything. */
export const emptyDraft: HookDraft = {
  name: '',
  enabled: true,
  trigger: { kind: 'agent-operation', values: {} },
  conditions: [],
  mode: 'queued',
  max: '',
  runsPerHour: '60',
  actions: [newAction(0)],
};

export function newAction(key: number): ActionDraft {
  return {
    key,
    type: 'mcp',
    stopsOnError: false,
    serverId: '',
    toolName: '',
    mappings: [],
    values: {},
  };
}

/** A stored hook, or a template, as it would have been typed. */
export function draftFrom(
  hook: Omit<Hook, 'id' | 'createdAt' | 'modifiedAt'> & Partial<Pick<Hook, 'id' | 'createdAt'>>,
): HookDraft {
  const { id, createdAt, name, enabled, trigger, mode, max, runsPerHour } = hook;
  const { kind } = trigger;
  return {
    ...(id !== undefined && { id }),
    ...(createdAt !== undefined && { createdAt }),
    name,
    enabled,
    trigger: { kind, values: fillFields(triggerKinds[kind].fields, trigger) },
    conditions: hook.conditions.map(conditionDraft),
    mode,
    max: max === undefined ? '' : String(max),
    runsPerHour: String(runsPerHour),
    actions: hook.actions.map(actionDraft),
  };
}

/** What is typed, as the JSON of a hook; whether it is right is for whoever stores it to say. */
export function hookFrom(draft: HookDraft, assistants: readonly string[]): Record<string, unknown> {
  const { id, createdAt, name, enabled, trigger, mode, max, runsPerHour } = draft;
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text));
  return {
    ...(id !== undefined && { id }),
    ...(createdAt !== undefined && { createdAt }),
    name: name.trim(),
    enabled,
    trigger: {
      kind: trigger.kind,
      ...readFields(triggerKinds[trigger.kind].fields, trigger.values),
    },
    conditions: draft.conditions.map(readCondition),
    mode,
    ...(mode === 'parallel' && max.trim() !== '' && { max: number(max) }),
    ...(runsPerHour.trim() !== '' && { runsPerHour: number(runsPerHour) }),
    actions: draft.actions.map((action) => readAction(action, assistants)),
  };
}

/** The text of a condition's value, with which it can be changed. */
function conditionDraft(condition: Condition, key: number): ConditionDraft {
  const { field, not = false } = condition;
  if ('exists' in condition) {
    return { key, field, test: 'exists', not: condition.exists === not, text: '' };
  }
  const [test, value] =
    'equals' in condition
      ? (['equals', condition.equals] as const)
      : 'in' in condition
        ? (['in', condition.in] as const)
        : 'matches' in condition
          ? (['matches', condition.matches] as const)
          : (['glob', condition.glob] as const);
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return { key, field, test, not, text, stored: { text, value } };
}

function readCondition({ field, test, not, text, stored }: ConditionDraft): object {
  const base = { field: field.trim(), ...(not && { not }) };
  if (test === 'exists') return { ...base, exists: true };
  const isStored =
    stored !== undefined && stored.text === text && Array.isArray(stored.value) === (test === 'in');
  if (isStored) return { ...base, [test]: stored.value };
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return { ...base, [test]: test === 'in' ? items : text };
}

function actionDraft(action: Hook['actions'][number], key: number): ActionDraft {
  const { type, onError } = action;
  const parameters: Readonly<Record<string, unknown>> = { ...action.parameters };
  const operation = typeof parameters.operation === 'string' ? parameters.operation : '';
  const command = typeof parameters.command === 'string' ? parameters.command : '';
  const specs = actionFields(type, { operation, ...(type === 'agent' && { command }) }, []);
  const shown = new Set([...specs.map(({ name }) => name), ...ownKeys]);
  const rest = Object.fromEntries(Object.entries(parameters).filter(([name]) => !shown.has(name)));
  const isCall = action.type === 'mcp';
  return {
    key,
    type,
    stopsOnError: onError === 'stop',
    serverId: isCall ? action.parameters.serverId : '',
    toolName: isCall ? action.parameters.toolName : '',
    mappings: isCall ? action.parameters.parameterMappings : [],
    values: fillFields(specs, parameters),
    rest: { type, parameters: rest },
  };
}

const ownKeys = ['serverId', 'toolName', 'parameterMappings'];

function readAction(action: ActionDraft, assistants: readonly string[]): object {
  const { type, stopsOnError, serverId, toolName, mappings, values, rest } = action;
  const parameters = {
    ...(rest?.type === type && rest.parameters),
    ...readFields(actionFields(type, values, assistants), values),
    ...(type === 'mcp' && { serverId, toolName, parameterMappings: mappings }),
  };
  return { type, ...(stopsOnError && { onError: 'stop' }), parameters };
}
