import type { Schema } from './schema-guard.ts';

/**
 * Whether a stranger's schema could make checking slow without bound: regular expressions that backtrack,
 * and references, which a few lines can multiply to billions of checks.
 */
export function isRiskySchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(isRiskySchema);
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (risky.has(keyword)) return true;
    if (data.has(keyword)) return false;
    return isRiskySchema(named.has(keyword) ? Object.values(value ?? {}) : value);
  });
}

/**
 * The schema without what is risky in it. It accepts everything that the whole schema accepts: a keyword
 * that would refuse more once its parts refuse less goes with them.
 */
export function loosenSchema(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !risky.has(keyword) &&
      !(contrary.has(keyword) && isRiskySchema(value)) &&
      !(keyword === 'additionalProperties' && 'patternProperties' in schema) &&
      !(keyword.startsWith('unevaluated') && isRiskySchema(schema)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, loosenValue(keyword, value)]));
}

function loosenValue(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((part) => loosenValue('', part));
  if (typeof value !== 'object' || value === null) return value;
  if (!named.has(keyword)) return loosenSchema(value as Schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, loosenValue('', part)]),
  );
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
const contrary = new Set(['not', 'oneOf', 'if', 'contains']);
