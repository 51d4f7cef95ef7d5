import { findTemplateMistake, isTypo } from '@errand/document';
import { isRecord } from '@errand/wire';
import { Cron } from 'croner';
import {
  actionSchema,
  type Hook,
  type HookAction,
  hookSchema,
  triggerSchema,
} from '../hook-schema.ts';
import { compilePattern } from './safe-pattern.ts';

/** Something wrong in an entry, and where. */
export interface HookMistake {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with a hook that has the right shape: patterns, schedules and templates that cannot be used. */
export function hookMistakes(hook: Hook): readonly HookMistake[] {
  return [
    ...globMistakes(hook),
    ...patternMistakes(hook),
    ...scheduleMistakes(hook),
    ...templateMistakes(hook),
  ];
}

/** Globs that fit no path of a vault: a hook that never runs must not look like one that waits. */
function globMistakes({ trigger, actions }: Hook): readonly HookMistake[] {
  const written: readonly LocatedText[] = [
    ...(trigger.kind === 'file' ? [{ path: ['trigger', 'glob'], text: trigger.glob }] : []),
    ...actions.flatMap(({ parameters }, index) =>
      'writes' in parameters && typeof parameters.writes === 'string'
        ? [{ path: ['actions', index, 'parameters', 'writes'], text: parameters.writes }]
        : [],
    ),
  ];
  return written.flatMap(({ path, text }) => {
    if (/^(?:\.{0,2}\/|~)|\\/.test(text)) {
      const message =
        'Write the path as it is in the vault: no /, ./ or ~ in front, and / between folders.';
      return [{ path, message }];
    }
    if (!/\{[^{}]*,[^{}]*\}/.test(text)) return [];
    const message =
      'Braces stand for themselves here. Write one pattern with *, ** and ?, or a hook for each.';
    return [{ path, message }];
  });
}

function patternMistakes({ conditions }: Hook): readonly HookMistake[] {
  return conditions.flatMap((condition, index) => {
    if (!('matches' in condition)) return [];
    const pattern = compilePattern(condition.matches);
    if (pattern.kind === 'pattern') return [];
    return [{ path: ['conditions', index, 'matches'], message: pattern.message }];
  });
}

function scheduleMistakes({ trigger }: Hook): readonly HookMistake[] {
  if (trigger.kind !== 'schedule') return [];
  const { cron, timeZone } = trigger;
  if (fails(() => new Cron(cron, { paused: true, mode: '5-part' }))) {
    const message =
      'Write five fields as cron has them: minute, hour, day, month, weekday, for example "0 7 * * 1-5".';
    return [{ path: ['trigger', 'cron'], message }];
  }
  if (timeZone === undefined || !fails(() => new Intl.DateTimeFormat('en', { timeZone })))
    return [];
  const message = 'Write a time zone, for example "Europe/Berlin".';
  return [{ path: ['trigger', 'timeZone'], message }];
}

function fails(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

/** Every text of an action is a template, but literals of mappings. */
function templateMistakes({ actions }: Hook): readonly HookMistake[] {
  return actions.flatMap((action, index) => {
    const path = ['actions', index, 'parameters'];
    return textsIn(action.parameters, path).flatMap((found) => {
      const message = findTemplateMistake(found.text);
      return message === undefined ? [] : [{ path: found.path, message }];
    });
  });
}

interface LocatedText {
  readonly path: HookMistake['path'];
  readonly text: string;
}

function textsIn(value: unknown, path: HookMistake['path']): readonly LocatedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const isLiteral = 'toolParam' in value && 'source' in value && value.source !== 'template';
  if (isLiteral) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/**
 * Keys that would make a hook do more than its author meant if they were ignored: misspelled ones, such as of
 * `enabled`, and every unknown one of a trigger, which it narrows. Other unknown keys are kept and do nothing.
 */
export function unknownKeys(raw: unknown): readonly HookMistake[] {
  if (!isRecord(raw)) return [];
  const { trigger, actions } = raw;
  const triggerShape = shapeOf(triggerSchema.options, 'kind', trigger);
  return [
    ...strayKeys(raw, Object.keys(hookSchema.shape), []),
    ...(triggerShape === undefined ? [] : strayKeys(trigger, triggerShape, ['trigger'], true)),
    ...(Array.isArray(actions) ? actions : []).flatMap((action, index) => {
      const shape = shapeOf(actionSchema.options, 'type', action);
      return shape === undefined
        ? []
        : [
            ...strayKeys(action, shape, ['actions', index]),
            ...strayParameters(action, ['actions', index, 'parameters']),
          ];
    }),
  ];
}

/** Misspelled parameters, and every unknown one of git: ignored, it would commit or push more than was meant. */
function strayParameters(action: unknown, path: HookMistake['path']): readonly HookMistake[] {
  const { type, parameters } = action as HookAction;
  const variant = actionSchema.options.find(({ shape }) => shape.type.value === type);
  const schema = variant?.shape.parameters;
  const shapes = schema === undefined ? [] : 'options' in schema ? schema.options : [schema];
  const known = shapes.flatMap(({ shape }) => Object.keys(shape));
  const all = type === 'github' ? [...known, ...ofGitHub] : known;
  return strayKeys(parameters, all, path, type === 'git');
}

/** The parameters of the operations of GitHub, of which each has its own. */
const ofGitHub = (
  'title body labels assignees issueNumber prNumber reason headBranch baseBranch draft mergeMethod labelName ' +
  'reviewers teamReviewers tagName releaseName releaseBody target prerelease'
).split(' ');

/** The keys of the variant that a value is of. */
function shapeOf(
  variants: readonly { readonly shape: Readonly<Record<string, unknown>> }[],
  discriminator: string,
  value: unknown,
): readonly string[] | undefined {
  if (!isRecord(value)) return undefined;
  const variant = variants.find(({ shape }) => {
    const literal = shape[discriminator];
    return isRecord(literal) && literal.value === value[discriminator];
  });
  return variant && Object.keys(variant.shape);
}

function strayKeys(
  value: unknown,
  known: readonly string[],
  path: readonly (string | number)[],
  isClosed = false,
): readonly HookMistake[] {
  return Object.keys(isRecord(value) ? value : {}).flatMap((key) => {
    if (known.includes(key)) return [];
    const meant = known.find((one) => isTypo(one, key));
    if (meant === undefined && !isClosed) return [];
    const message =
      meant === undefined
        ? `There is no such key here. Write one of ${known.join(', ')}.`
        : `There is no such key here. Did you mean "${meant}"?`;
    return [{ path: [...path, key], message }];
  });
}
