import { toLocalTime } from './local-time.ts';
import type { Schema } from './schema.ts';
import { type Shape, shapeOf } from './shape-of.ts';

/** The entered values so far, in the shape of the schema; text may still be invalid. */
export type Draft =
  /** Not given. */
  | { readonly kind: 'none' }
  /** The text of a control; for a choice, the index of the chosen value. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Draft> }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'choices'; readonly chosen: readonly number[] }
  | { readonly kind: 'variant'; readonly index: number; readonly draft: Draft }
  /** Written as JSON, whatever its schema says. */
  | { readonly kind: 'json'; readonly text: string };

export interface ListItem {
  /** Stable while other items are added and removed. */
  readonly key: number;
  readonly draft: Draft;
}

export const none: Draft = { kind: 'none' };

/** The initial draft: defaults filled in, required parts expanded. */
export function firstDraft(schema: unknown, root: Schema): Draft {
  const draft = begin(schema, root, { isRequired: true, budget: { left: 300 } });
  return draft.kind === 'none' ? { kind: 'json', text: '{}' } : draft;
}

/** The draft of a part that a person adds: expanded, whether it is required or not. */
export function addedDraft(schema: unknown, root: Schema): Draft {
  return begin(schema, root, { isRequired: true, budget: { left: 100 } });
}

interface Begin {
  readonly isRequired: boolean;
  /** How many fields may still be expanded; a schema may require itself. */
  readonly budget: { left: number };
}

function begin(schema: unknown, root: Schema, { isRequired, budget }: Begin): Draft {
  const shape = shapeOf(schema, root);
  if (shape.initial !== undefined) return draftOf(shape.initial.value, schema, root);
  if (!isRequired || shape.isNullable) return none;
  switch (shape.kind) {
    case 'object': {
      if (shape.fields.length > budget.left) return none;
      budget.left -= shape.fields.length;
      const parts = shape.fields.map(
        ({ name, schema: part, isRequired: isNeeded }) =>
          [name, begin(part, root, { isRequired: isNeeded, budget })] as const,
      );
      return { kind: 'object', fields: new Map(parts) };
    }
    case 'list': {
      if (shape.least === 0 || shape.least > budget.left) return { kind: 'list', items: [] };
      budget.left -= shape.least;
      const items = Array.from({ length: shape.least }, (_, key) => ({
        key,
        draft: begin(shape.item, root, { isRequired: true, budget }),
      }));
      return { kind: 'list', items };
    }
    case 'variants':
      if (budget.left === 0) return none;
      budget.left -= 1;
      return {
        kind: 'variant',
        index: 0,
        draft: begin(shape.variants[0]?.schema, root, { isRequired: true, budget }),
      };
    case 'choices':
      return { kind: 'choices', chosen: [] };
    case 'flag':
      return { kind: 'text', text: 'false' };
    default:
      return none;
  }
}

/** A value as a person would have entered it; what does not fit its schema is kept as JSON. */
export function draftOf(value: unknown, schema: unknown, root: Schema): Draft {
  return draftOfValue(value, schema, root, { left: 300 });
}

function draftOfValue(
  value: unknown,
  schema: unknown,
  root: Schema,
  budget: { left: number },
): Draft {
  if (value === undefined) return none;
  budget.left -= 1;
  const shape = shapeOf(schema, root);
  if (value === null && shape.isNullable) return none;
  const fitting = budget.left > 0 ? fit(value, shape, root, budget) : undefined;
  return fitting ?? { kind: 'json', text: JSON.stringify(value, undefined, 2) };
}

function fit(
  value: unknown,
  shape: Shape,
  root: Schema,
  budget: { left: number },
): Draft | undefined {
  switch (shape.kind) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const given = new Map(Object.entries(value));
      const parts = shape.fields.map(({ name, schema }) => {
        const draft = draftOfValue(given.get(name), schema, root, budget);
        given.delete(name);
        return [name, draft] as const;
      });
      return given.size === 0 ? { kind: 'object', fields: new Map(parts) } : undefined;
    }
    case 'list':
      if (!Array.isArray(value)) return undefined;
      return {
        kind: 'list',
        items: value.map((item: unknown, key) => ({
          key,
          draft: draftOfValue(item, shape.item, root, budget),
        })),
      };
    case 'choice': {
      const index = shape.choices.findIndex((choice) => isSame(choice.value, value));
      return index === -1 ? undefined : { kind: 'text', text: String(index) };
    }
    case 'choices': {
      if (!Array.isArray(value)) return undefined;
      const chosen = value.map((one) =>
        shape.choices.findIndex((choice) => isSame(choice.value, one)),
      );
      const isFitting = !chosen.includes(-1) && new Set(chosen).size === chosen.length;
      return isFitting ? { kind: 'choices', chosen } : undefined;
    }
    case 'flag':
      return typeof value === 'boolean' ? { kind: 'text', text: String(value) } : undefined;
    case 'number':
      return typeof value === 'number' ? { kind: 'text', text: String(value) } : undefined;
    case 'text': {
      if (typeof value !== 'string' || value === '') return undefined;
      const text = shape.format === 'date-time' ? toLocalTime(value) : value;
      const isDate = shape.format !== 'date' || /^\d{4}-\d\d-\d\d$/.test(value);
      return text === undefined || !isDate ? undefined : { kind: 'text', text };
    }
    case 'fixed':
      return isSame(value, shape.value) ? { kind: 'text', text: 'fixed' } : undefined;
    case 'variants':
      return fitVariant(value, shape, root, budget);
    case 'json':
      return undefined;
  }
}

/** The first alternative that takes the value without falling back to JSON. */
function fitVariant(
  value: unknown,
  { variants }: Extract<Shape, { kind: 'variants' }>,
  root: Schema,
  budget: { left: number },
): Draft | undefined {
  for (const [index, { schema }] of variants.entries()) {
    const draft = draftOfValue(value, schema, root, budget);
    if (draft.kind !== 'json') return { kind: 'variant', index, draft };
  }
  return undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
