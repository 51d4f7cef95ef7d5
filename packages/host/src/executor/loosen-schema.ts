import type { Schema } from './schema-guard.ts';

/**
 * Whether a stranger's schema could make checking slow without bound: regular expressions that backtrack,
 * and references, which a few lines can multiply to billions of checks.
 */
export function isRiskySchema(schema: unknown): boolean {
  return mentions(schema, isRiskyKeyword);
}

/**
 * The schema without what is risky in it. It accepts everything that the whole schema accepts: a keyword
 * that would refuse more once its parts refuse less goes with them.
 */
export function loosenSchema(schema: Schema): Schema {
  return loosenObject(schema);
}

function loosenObject(schema: Schema): Schema {
  const isRisky = isRiskySchema(schema);
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !isRiskyKeyword(keyword) &&
      !(contrary.has(keyword) && isRiskySchema(value)) &&
      !(isRisky && dependsOnSiblings.has(keyword)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, loosenValue(keyword, value)]));
}

function loosenValue(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((part) => loosenValue('', part));
  if (typeof value !== 'object' || value === null) return value;
  if (!named.has(keyword)) return loosenObject(value as Schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, loosenValue('', part)]),
  );
}

function mentions(schema: unknown, isWanted: (keyword: string) => boolean): boolean {
  if (Array.isArray(schema)) return schema.some((part) => mentions(part, isWanted));
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (isWanted(keyword)) return true;
    if (data.has(keyword)) return false;
    return named.has(keyword) && typeof value === 'object' && value !== null
      ? Object.values(value).some((part) => mentions(part, isWanted))
      : mentions(value, isWanted);
  });
}

function isRiskyKeyword(keyword: string): boolean {
  return risky.has(keyword);
}

const risky = new Set([
  'pattern',
  'patternProperties',
  'format',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);
/** Keywords that hold values, not schemas. */
const data = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);
/** Keywords that hold schemas by names of the author's choice. */
const named = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
/** Keywords that refuse more when their schema refuses less. */
const contrary = new Set(['not', 'oneOf', 'if', 'contains', 'then', 'else']);
/** Keywords that refuse what their siblings did not look at. */
const dependsOnSiblings = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'maxContains',
  'minContains',
]);
