import { oneLine } from '@errand/host';
import { isRecord } from '@errand/wire';
import { type Choice, choicesOf } from './choices-of.ts';
import { listOf, recordOf, resolveSchema, type Schema } from './schema.ts';
import { variantLabel } from './variant-label.ts';

/** The form control for a schema. Nested schemas are resolved when they are shown. */
export type Shape = {
  readonly title: string | undefined;
  readonly hint: string | undefined;
  /** An empty required field is sent as null. */
  readonly isNullable: boolean;
  readonly initial: { readonly value: unknown } | undefined;
} & ShapeKind;

export type ShapeKind =
  | { readonly kind: 'object'; readonly fields: readonly ObjectField[] }
  | { readonly kind: 'list'; readonly item: unknown; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** Any number of fixed choices. */
  | {
      readonly kind: 'choices';
      readonly choices: readonly Choice[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'flag' }
  | {
      readonly kind: 'number';
      readonly isWhole: boolean;
      readonly bounds: Bounds;
    }
  | {
      readonly kind: 'text';
      readonly format: TextFormat;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'fixed'; readonly value: unknown }
  | { readonly kind: 'variants'; readonly variants: readonly Variant[] }
  /** No better control is known, so the value is written as JSON. */
  | { readonly kind: 'json' };

export interface ObjectField {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

export interface Variant {
  readonly label: string;
  readonly schema: unknown;
}

export interface Bounds {
  readonly least: number;
  readonly most: number;
  /** The bounds are exclusive. */
  readonly isLeastOut: boolean;
  readonly isMostOut: boolean;
}

export type TextFormat = 'line' | 'long' | 'date' | 'date-time' | 'email' | 'uri';

const mostFields = 100;
const mostVariants = 30;
const mostCheckboxes = 30;

export function shapeOf(schema: unknown, root: Schema): Shape {
  const resolved = resolveSchema(schema, root);
  if (resolved === undefined) return { ...plain, kind: 'json' };
  const { rest, isNullable } = withoutNull(resolved, root);
  const { description, default: initial } = { ...resolved, ...rest };
  return {
    // The title behind a reference names a type, not this field.
    title: isRecord(schema) ? textOf(schema.title) : undefined,
    hint: textOf(description),
    isNullable,
    initial: initial === undefined ? undefined : { value: initial },
    ...kindOf(rest, root),
  };
}

const plain = { title: undefined, hint: undefined, isNullable: false, initial: undefined } as const;

/** The schema of everything but null. */
function withoutNull(schema: Schema, root: Schema): { rest: Schema; isNullable: boolean } {
  const types = listOf(schema.type);
  if (types.includes('null')) {
    const others = types.filter((type) => type !== 'null');
    const type = others.length === 1 ? others[0] : others;
    return { rest: { ...schema, type, ...withoutNullChoice(schema) }, isNullable: true };
  }
  for (const name of ['anyOf', 'oneOf'] as const) {
    const parts = listOf(schema[name]);
    const others = parts.filter((part) => !(isRecord(part) && part.type === 'null'));
    if (others.length === parts.length) continue;
    const { [name]: _parts, ...own } = schema;
    if (others.length > 1) return { rest: { ...own, [name]: others }, isNullable: true };
    const only = resolveSchema(others[0], root) ?? { not: {} };
    return { rest: { ...only, ...own }, isNullable: true };
  }
  return { rest: schema, isNullable: false };
}

function withoutNullChoice({ enum: values }: Schema): Schema {
  return Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
}

function kindOf(schema: Schema, root: Schema): ShapeKind {
  if ('const' in schema) return { kind: 'fixed', value: schema.const };
  const choices = choicesOf(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  const variants = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (variants.length > 0) return variantsOf(variants, schema, root);
  const { type = guessType(schema) } = schema;
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return arrayOf(schema, root);
    case 'string':
      return textShape(schema);
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: type === 'integer', bounds: boundsOf(schema) };
    case 'boolean':
      return { kind: 'flag' };
    default:
      return Array.isArray(type) && type.length > 1 && type.length <= 7
        ? variantsOf(
            type.map((one: unknown) => ({ type: one })),
            schema,
            root,
          )
        : { kind: 'json' };
  }
}

function guessType(schema: Schema): string | undefined {
  if (isRecord(schema.properties)) return 'object';
  return isRecord(schema.items) ? 'array' : undefined;
}

function variantsOf(parts: readonly unknown[], schema: Schema, root: Schema): ShapeKind {
  if (parts.length > mostVariants) return { kind: 'json' };
  const { anyOf: _any, oneOf: _one, type, title: _title, default: _default, ...rest } = schema;
  const { description: _description, ...shared } = rest;
  const own = typeof type === 'string' ? { ...shared, type } : shared;
  const variants = parts.map((part, index) => {
    // Keywords beside the alternatives apply to each of them.
    const whole = Object.keys(own).length > 0 && isRecord(part) ? { allOf: [own, part] } : part;
    return { label: variantLabel(part, root) ?? `Choice ${index + 1}`, schema: whole };
  });
  return { kind: 'variants', variants };
}

function objectOf(schema: Schema): ShapeKind {
  const required = new Set(listOf(schema.required));
  const fields = Object.entries(recordOf(schema.properties)).map(([name, part]) => ({
    name,
    schema: part,
    isRequired: required.has(name),
  }));
  const isOpen = !isRecord(schema.properties) || Boolean(schema.additionalProperties);
  return (isOpen && fields.length === 0) || fields.length > mostFields
    ? { kind: 'json' }
    : { kind: 'object', fields };
}

function arrayOf(schema: Schema, root: Schema): ShapeKind {
  if (Array.isArray(schema.prefixItems) || !isRecord(schema.items)) return { kind: 'json' };
  const [least, most] = [countOf(schema.minItems, 0), countOf(schema.maxItems)];
  const item = resolveSchema(schema.items, root);
  const choices = item && choicesOf(item);
  return choices !== undefined && choices.length <= mostCheckboxes
    ? { kind: 'choices', choices, least, most }
    : { kind: 'list', item: schema.items, least, most };
}

function textShape({ format, minLength, maxLength }: Schema): ShapeKind {
  const most = countOf(maxLength);
  const known = (['date', 'date-time', 'email', 'uri'] as const).find((name) => name === format);
  const isLong = format === undefined && most > 200;
  return {
    kind: 'text',
    format: known ?? (isLong ? 'long' : 'line'),
    least: countOf(minLength, 0),
    most,
  };
}

function boundsOf(schema: Schema): Bounds {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isLeastOut = typeof exclusiveMinimum === 'number' || exclusiveMinimum === true;
  const isMostOut = typeof exclusiveMaximum === 'number' || exclusiveMaximum === true;
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return {
    least: number(exclusiveMinimum) ?? number(minimum) ?? -Infinity,
    most: number(exclusiveMaximum) ?? number(maximum) ?? Infinity,
    isLeastOut,
    isMostOut,
  };
}

function countOf(value: unknown, otherwise = Infinity): number {
  return typeof value === 'number' && value >= 0 ? value : otherwise;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? oneLine(value) : undefined;
}
