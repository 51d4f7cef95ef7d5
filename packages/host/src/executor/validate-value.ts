import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { hasKeyword } from './loosen-schema.ts';
import { measureValue } from './measure-value.ts';
import { renewBounds } from './renew-bounds.ts';
import type { InvalidParameter, ParameterProblem, Schema } from './schema-guard.ts';

/** Checks a value against a JSON Schema 2020-12; throws when the schema itself cannot be used. */
export function validateValue(schema: Schema, value: unknown): readonly ParameterProblem[] {
  const { all, first, rules, parts } = checkFor(schema);
  // Each problem repeats its rule: of many problems only the first is worth its memory.
  const few = problemsAtOnce / parts;
  const hasFew = measureValue(value, { parts: few, depth: few }).parts <= few;
  const { valid, errors } = (hasFew ? all : first).validate(value);
  return valid ? [] : describeProblems(errors, rules, value);
}

const problemsAtOnce = 20_000;

interface Check {
  /** Finds every problem. */
  readonly all: Validator;
  /** Stops at the first one. */
  readonly first: Validator;
  /** The schema as it is checked. */
  readonly rules: Schema;
  /** How large it is. */
  readonly parts: number;
}

const checks = new WeakMap<Schema, Check>();

function checkFor(schema: Schema): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const rules = structuredClone(schema);
  renewBounds(rules);
  const { parts } = measureValue(rules, { parts: problemsAtOnce, depth: problemsAtOnce });
  // The validator writes its own marks into what it is given.
  const validator = (shortCircuit: boolean) =>
    new Validator(withoutLongTexts(structuredClone(rules)), '2020-12', shortCircuit);
  const check = { all: validator(false), first: validator(true), rules, parts };
  checks.set(schema, check);
  return check;
}

/** The validator puts all choices of an enum into each failure, as JSON; we tell them ourselves. */
function withoutLongTexts(schema: Schema): Schema {
  hasKeyword(schema, (keyword, value) => {
    if (keyword === 'enum' && Array.isArray(value)) {
      Object.defineProperty(value, 'toJSON', { value: () => '…', configurable: true });
    }
    return false;
  });
  return schema;
}

function describeProblems(
  errors: readonly OutputUnit[],
  schema: Schema,
  value: unknown,
): readonly ParameterProblem[] {
  const problems = new Map<string, Described>();
  for (const unit of errors) {
    if (isAround(unit)) continue;
    const problem = describeProblem(unit, schema, value);
    const known = problems.get(problem.path);
    if (known === undefined || (isInvalid(problem) && !isInvalid(known.problem))) {
      problems.set(problem.path, { problem, rules: 1, more: 0 });
    } else if (isInvalid(problem)) addRule(known, problem.expected, unit);
  }
  return [...problems.values()].map(({ problem, more }) =>
    more === 0 || !isInvalid(problem)
      ? problem
      : { ...problem, expected: `${problem.expected}, and ${more} more` },
  );
}

function isInvalid(problem: ParameterProblem): problem is InvalidParameter {
  return problem.kind === 'invalid';
}

/** The problem reported for one parameter, and how many broken rules it names and leaves out. */
interface Described {
  problem: ParameterProblem;
  rules: number;
  more: number;
}

/** A stranger's schema may have any number of rules for one parameter; only the first ones are named. */
function addRule(known: Described, rule: string, { keywordLocation }: OutputUnit): void {
  if (!isInvalid(known.problem)) return;
  if (known.rules === maxChoices) {
    known.more += 1;
    return;
  }
  const { expected } = known.problem;
  if (expected.includes(rule)) return;
  const join = /\/(?:anyOf|oneOf)\//.test(keywordLocation) ? ' or ' : ' and ';
  known.problem = { ...known.problem, expected: expected + join + rule };
  known.rules += 1;
}

/** A failure inside a part is reported for the part and for everything around it; only the part counts. */
function isAround({ keyword, error }: OutputUnit): boolean {
  return around.has(keyword) || (keyword === 'oneOf' && error.includes('(0 matches)'));
}

const around = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'prefixItems',
  'propertyNames',
  'allOf',
  'anyOf',
  '$ref',
  '$dynamicRef',
  'if',
  'dependentSchemas',
]);

function describeProblem(
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
  schema: Schema,
  value: unknown,
): ParameterProblem {
  const path = pointerParts(instanceLocation);
  const actual = show(follow(value, path));
  if (keyword === 'false') {
    const isItem = Array.isArray(follow(value, path.slice(0, -1)));
    return isItem
      ? { kind: 'invalid', path: path.join('.'), expected: 'no such item', actual }
      : { kind: 'unknown', path: path.join('.') };
  }
  const location = pointerParts(keywordLocation);
  if (keyword === 'required') {
    const name = /"(.*)"/.exec(error)?.[1] ?? '';
    const type = followRefs(schema, [...location.slice(0, -1), 'properties', name, 'type']);
    const missing = { kind: 'missing', path: [...path, name].join('.') } as const;
    return typeof type === 'string' ? { ...missing, type } : missing;
  }
  const rule = followRefs(schema, location);
  const expected = shorten(describeRule(keyword, rule, error), longestRule);
  return { kind: 'invalid', path: path.join('.'), expected, actual };
}

function describeRule(keyword: string, rule: unknown, error: string): string {
  const otherwise = `what its schema allows (${error.replace(/\.$/, '')})`;
  if (rule === undefined) return otherwise;
  switch (keyword) {
    case 'type':
      return Array.isArray(rule) ? rule.join(' or ') : String(rule);
    case 'enum':
      return Array.isArray(rule) ? `one of ${showChoices(rule)}` : otherwise;
    case 'const':
      return show(rule);
    case 'minimum':
      return `at least ${rule}`;
    case 'maximum':
      return `at most ${rule}`;
    case 'exclusiveMinimum':
      return `more than ${rule}`;
    case 'exclusiveMaximum':
      return `less than ${rule}`;
    case 'multipleOf':
      return `a multiple of ${rule}`;
    case 'minLength':
      return `at least ${rule} characters`;
    case 'maxLength':
      return `at most ${rule} characters`;
    case 'minItems':
      return `at least ${rule} items`;
    case 'maxItems':
      return `at most ${rule} items`;
    case 'uniqueItems':
      return 'no item twice';
    case 'oneOf':
      return 'what fits only one of its forms';
    case 'pattern':
      return `text that matches ${rule}`;
    case 'format':
      return `text in the format ${rule}`;
    default:
      return otherwise;
  }
}

function pointerParts(location: string): readonly string[] {
  return location
    .split('/')
    .slice(1)
    .map((part) => decodeURI(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function follow(value: unknown, path: readonly string[]): unknown {
  let part = value;
  for (const key of path) {
    if (typeof part !== 'object' || part === null) return undefined;
    part = (part as Readonly<Record<string, unknown>>)[key];
  }
  return part;
}

/** The same in a schema, whose parts may stand elsewhere in it. */
function followRefs(schema: Schema, path: readonly string[]): unknown {
  let part: unknown = schema;
  for (const key of path) {
    part = follow(part, [key]);
    if (key === '$ref' && typeof part === 'string') part = follow(schema, pointerParts(part));
  }
  return part;
}

function showChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, maxChoices).map((choice) => show(choice));
  const more = choices.length - shown.length;
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

const maxChoices = 30;

/** A value as people read it, short. */
function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return shorten(text, 60);
}

/** A list of choices, each as long as a value is shown, fits in. */
const longestRule = 2_000;

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}
