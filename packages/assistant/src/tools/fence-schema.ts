type Schema = Readonly<Record<string, unknown>>;

/** Deeper than this no tool is meant to be called. */
const deepest = 50;

/** A tool's schema whose words for people stand in a fence; all that decides what fits it stays as it is. */
export function fenceSchema(schema: Schema, fence: (text: string) => string): Schema {
  return fenceIn(schema, fence, 0) as Schema;
}

function fenceIn(schema: unknown, fence: (text: string) => string, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (depth > deepest) return {};
  const inner = (value: unknown) => fenceIn(value, fence, depth + 1);
  if (Array.isArray(schema)) return schema.map(inner);
  return mapValues(schema as Schema, (value, key) => {
    if (words.has(key)) return typeof value === 'string' ? fence(value) : value;
    if (values.has(key)) return value;
    const isNamed = schemasByName.has(key) && typeof value === 'object' && value !== null;
    return isNamed ? mapValues(value as Schema, inner) : inner(value);
  });
}

function mapValues(object: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

const words = new Set(['title', 'description', '$comment']);
/** What is compared with a value as it is. */
const values = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);
/** Keys below these are names of the author's, and may be called `description` too. */
const schemasByName = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);
