import type { Schema } from './schema-guard.ts';

/**
 * Whether a stranger's schema could make checking slow without bound: regular expressions that backtrack,
 * and references, which a few lines can multiply to billions of checks.
 */
export function isRiskySchema(schema: unknown): boolean {
  return hasKeyword(schema, (keyword) => riskyKeywords.has(keyword));
}

/** The parts of a schema that are not checked. */
export interface SchemaExclusions {
  isExcluded(keyword: string, value: unknown): boolean;
  /** Whether a part of the schema, or what it refers to, may accept more than before. */
  isLooser(part: unknown): boolean;
}

/**
 * The schema without its excluded parts, by default all that are risky. It accepts everything that the whole
 * schema accepts: a keyword that would refuse more once its parts refuse less is removed too.
 */
export function loosenSchema(schema: Schema, parts: SchemaExclusions = riskyParts): Schema {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !parts.isExcluded(keyword, value) &&
      !(contrary.has(keyword) && parts.isLooser(value)) &&
      !(keyword === 'additionalProperties' && isWithoutPatterns(schema, parts)) &&
      !(keyword.startsWith('unevaluated') && parts.isLooser(schema)),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, loosenValue(keyword, value, parts)]),
  );
}

/** Whether a schema or one of its parts uses a keyword. */
export function hasKeyword(
  schema: unknown,
  isWanted: (keyword: string, value: unknown) => boolean,
): boolean {
  if (Array.isArray(schema)) return schema.some((part) => hasKeyword(part, isWanted));
  if (typeof schema !== 'object' || schema === null) return false;
  const isUsed = Object.entries(schema).some(([keyword, value]) => isWanted(keyword, value));
  return isUsed || hasKeyword(partsOf(schema), isWanted);
}

/** The values of a schema's keywords that are or hold schemas. */
export function partsOf(schema: object): readonly unknown[] {
  return Object.entries(schema)
    .filter(([keyword]) => !data.has(keyword))
    .map(([keyword, value]) => (named.has(keyword) ? Object.values(value ?? {}) : value));
}

function isWithoutPatterns(schema: Schema, parts: SchemaExclusions): boolean {
  const key = 'patternProperties';
  return key in schema && parts.isExcluded(key, schema[key]);
}

function loosenValue(keyword: string, value: unknown, parts: SchemaExclusions): unknown {
  if (data.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((part) => loosenValue('', part, parts));
  if (typeof value !== 'object' || value === null) return value;
  if (!named.has(keyword)) return loosenSchema(value as Schema, parts);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, loosenValue('', part, parts)]),
  );
}

const riskyKeywords = new Set([
  'pattern',
  'patternProperties',
  'format',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);
const riskyParts: SchemaExclusions = {
  isExcluded: (keyword) => riskyKeywords.has(keyword),
  isLooser: isRiskySchema,
};
/** Keywords that hold values, not schemas. */
const data = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);
/** Keywords that hold schemas by names of the author's choice. */
const named = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords that refuse more when their schema refuses less. */
const contrary = new Set(['not', 'oneOf', 'if', 'contains']);
