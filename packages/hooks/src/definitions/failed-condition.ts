import { matchesGlob } from '@errand/document';
import type { Condition } from '../hook-schema.ts';
import { readField } from './read-field.ts';
import { compilePattern } from './safe-pattern.ts';

/** A condition that does not hold, and what the field was instead. */
export interface FailedCondition {
  readonly condition: Condition;
  /** The value of the field; undefined when there is no such field. */
  readonly actual: unknown;
}

/** The first condition that the fields do not meet; undefined when all hold. */
export function failedCondition(
  conditions: readonly Condition[],
  fields: Readonly<Record<string, unknown>>,
): FailedCondition | undefined {
  for (const condition of conditions) {
    const actual = readField(fields, condition.field);
    if (holds(condition, actual) === (condition.not ?? false)) return { condition, actual };
  }
  return undefined;
}

function holds(condition: Condition, actual: unknown): boolean {
  if ('exists' in condition) return (actual !== undefined && actual !== null) === condition.exists;
  // Of a list, one element that fits is enough: labels, addresses, changed files.
  const values: readonly unknown[] = Array.isArray(actual) ? actual : [actual];
  if ('equals' in condition) return values.some((value) => isSame(value, condition.equals));
  if ('in' in condition) {
    return values.some((value) => condition.in.some((one) => isSame(value, one)));
  }
  const texts = values.filter(isScalar).map(String);
  if ('glob' in condition) {
    return texts.some((text) => text.length <= longestPath && matchesGlob(condition.glob, text));
  }
  const pattern = compilePattern(condition.matches);
  return pattern.kind === 'pattern' && texts.some((text) => pattern.matches(text));
}

/** A text that reads like the number or boolean is the same: events that are written by hand have texts only. */
function isSame(value: unknown, wanted: string | number | boolean): boolean {
  return value === wanted || (isScalar(value) && String(value) === String(wanted));
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Longer texts are no paths, and a glob takes time for each of their characters. */
const longestPath = 10_000;
