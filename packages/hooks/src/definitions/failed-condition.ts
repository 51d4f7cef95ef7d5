import { matchesGlob } from '@errand/document';
import type { Condition } from '../hook-schema.ts';
import { readField } from './read-field.ts';
import { compilePattern } from './safe-pattern.ts';

/** A condition that does not hold, and what the field was instead. */
export interface FailedCondition {
  readonly condition: Condition;
  /** The value of the field; undefined when there is no such field. */
  readonly actual: unknown;
  /** Why the condition could not be tested; it then fails, negated or not. */
  readonly problem?: string;
}

/** The first condition that the fields do not meet; undefined when all hold. */
export function failedCondition(
  conditions: readonly Condition[],
  fields: Readonly<Record<string, unknown>>,
): FailedCondition | undefined {
  for (const condition of conditions) {
    const actual = readField(fields, condition.field);
    const holds = test(condition, actual);
    if (holds === undefined) {
      const most = ('glob' in condition ? longestPath : longestText).toLocaleString('en');
      const problem = `The value is too long to be tested: more than ${most} characters, or too many ways to match.`;
      return { condition, actual, problem };
    }
    if (holds === (condition.not ?? false)) return { condition, actual };
  }
  return undefined;
}

/** Undefined when that cannot be found out in time. */
function test(condition: Condition, actual: unknown): boolean | undefined {
  if ('exists' in condition) return (actual !== undefined && actual !== null) === condition.exists;
  // Of a list, one element that fits is enough: labels, addresses, changed files.
  const values: readonly unknown[] = Array.isArray(actual) ? actual : [actual];
  if ('equals' in condition) return values.some((value) => isSame(value, condition.equals));
  if ('in' in condition) {
    return values.some((value) => condition.in.some((one) => isSame(value, one)));
  }
  const texts = values.filter(isScalar).map(String);
  if (texts.reduce((length, text) => length + text.length + 1, 0) > longestText) return undefined;
  if ('glob' in condition) {
    if (texts.some((text) => text.length > longestPath)) return undefined;
    return texts.some((text) => matchesGlob(condition.glob, text));
  }
  const pattern = patternOf(condition);
  return texts.reduce<boolean | undefined>(
    (found, text) => (found === false ? pattern(text) : found),
    false,
  );
}

type Matcher = (text: string) => boolean | undefined;

function patternOf(condition: Extract<Condition, { matches: string }>): Matcher {
  const known = patterns.get(condition);
  if (known !== undefined) return known;
  const pattern = compilePattern(condition.matches);
  const matches = pattern.kind === 'pattern' ? pattern.matches : () => undefined;
  patterns.set(condition, matches);
  return matches;
}

/** Hooks are read once and tested often. */
const patterns = new WeakMap<Condition, Matcher>();

/** A text that reads like the number or boolean is the same: events that are written by hand have texts only. */
function isSame(value: unknown, wanted: string | number | boolean): boolean {
  return value === wanted || (isScalar(value) && String(value) === String(wanted));
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Longer texts are no paths, and a glob takes time for each of their characters. */
const longestPath = 10_000;
/** Conditions are tested between two turns of the event loop: 100,000 characters take about 10 ms. */
const longestText = 100_000;
