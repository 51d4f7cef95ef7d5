import { isRecord } from '@errand/wire';
/** An untrusted JSON Schema: every keyword is checked before use. */
export type Schema = Readonly<Record<string, unknown>>;

/** Resolves `$ref` within the document and merges `allOf`; undefined when a reference cannot be resolved. */
export function resolveSchema(schema: unknown, root: Schema): Schema | undefined {
  return resolve(schema, root, { left: 50 });
}

/** Limits how many references one schema may follow, because they may be circular. */
interface Budget {
  left: number;
}

function resolve(schema: unknown, root: Schema, budget: Budget): Schema | undefined {
  if (schema === true) return {};
  if (!isRecord(schema) || budget.left === 0) return undefined;
  budget.left -= 1;
  const { $ref, allOf, ...own } = schema;
  if ($ref !== undefined) {
    const target = resolve(follow($ref, root), root, budget);
    return target && merge(target, resolve(strip(schema, '$ref'), root, budget));
  }
  if (!Array.isArray(allOf)) return schema;
  return allOf.reduce<Schema | undefined>(
    (whole, part) => whole && merge(whole, resolve(part, root, budget)),
    own,
  );
}

function strip(schema: Schema, name: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
}

/** The schema that a pointer such as `#/$defs/Address` refers to. */
function follow(reference: unknown, root: Schema): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const parts = reference.slice(1).split('/').slice(1);
  return parts.reduce<unknown>((value, part) => {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isThere ? (value as Record<string, unknown>)[name] : undefined;
  }, root);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Merges two schemas; the second wins. */
function merge(first: Schema, second: Schema | undefined): Schema | undefined {
  if (second === undefined) return undefined;
  const properties = { ...recordOf(first.properties), ...recordOf(second.properties) };
  const required = [...listOf(first.required), ...listOf(second.required)];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

export function recordOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
