import { isTypo } from '@errand/document';
import { isRecord } from '@errand/wire';
import { actionSchema, type Hook, hookSchema, triggerSchema } from '../hook-schema.ts';
import { compilePattern } from './safe-pattern.ts';

/** Something wrong in an entry, and where. */
export interface HookMistake {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with a hook that has the right shape: patterns that cannot be used. */
export function hookMistakes(hook: Hook): readonly HookMistake[] {
  return hook.conditions.flatMap((condition, index) => {
    if (!('matches' in condition)) return [];
    const pattern = compilePattern(condition.matches);
    if (pattern.kind === 'pattern') return [];
    return [{ path: ['conditions', index, 'matches'], message: pattern.message }];
  });
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
      return shape === undefined ? [] : strayKeys(action, shape, ['actions', index]);
    }),
  ];
}

/** The keys of the variant that a value is of. */
function shapeOf(
  variants: readonly { readonly shape: Readonly<Record<string, unknown>> }[],
  discriminator: string,
  value: unknown,
): readonly string[] | undefined {
  if (!isRecord(value)) return undefined;
  const variant = variants.find(({ shape }) => {
    const literal = shape[discriminator];
    return isRecord(literal) && literal['value'] === value[discriminator];
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
