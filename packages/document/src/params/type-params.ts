import { convertScalar } from './convert-scalar.ts';
import { describeExpected, describeSource } from './describe-param.ts';
import { type Alternative, alternativesOf } from './json-schema.ts';
import { plainValue, type SourceList, type SourceMap, type SourceValue } from './source-value.ts';

/** A parameter that does not fit its schema. */
interface ParamProblem {
  /** `days`, `filter.from`, `tags[0]`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  readonly message: string;
}

interface TypedParams {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ParamProblem[];
}

/**
 * Converts parameters to the types in the tool's schema, from their source text, so that `01234` stays text
 * where text is wanted. Without a schema, YAML's own types are used.
 */
export function typeParams(params: SourceMap, schema: unknown): TypedParams {
  const typing: Typing = { root: schema, alternatives: new Map(), left: 50_000 };
  const { value, problems } = typeMap(params, alternativesFor(schema, typing), '', typing);
  return { values: value as Readonly<Record<string, unknown>>, problems };
}

interface Typing {
  readonly root: unknown;
  readonly alternatives: Map<unknown, readonly Alternative[]>;
  /** How many more readings are tried; nested alternatives multiply, and a schema may be hostile. */
  left: number;
}

function alternativesFor(schema: unknown, typing: Typing): readonly Alternative[] {
  const known = typing.alternatives.get(schema) ?? alternativesOf(schema, typing.root);
  typing.alternatives.set(schema, known);
  typing.left -= known.length;
  return known;
}

interface Typed {
  readonly value: unknown;
  readonly problems: readonly ParamProblem[];
}

function typeValue(value: SourceValue, schema: unknown, path: string, typing: Typing): Typed {
  if (schema === undefined || typing.left < 0) return { value: plainValue(value), problems: [] };
  const alternatives = alternativesFor(schema, typing);
  if (value.kind === 'map') return typeMap(value, alternatives, path, typing);
  if (value.kind === 'list') return typeList(value, alternatives, path, typing);
  const converted = convertScalar(value, alternatives);
  return converted === null
    ? misfit(value, alternatives, path)
    : { value: converted.value, problems: [] };
}

function typeMap(
  map: SourceMap,
  alternatives: readonly Alternative[],
  path: string,
  typing: Typing,
): Typed {
  const typed = alternatives.filter(allows('object')).map((alternative) => () => {
    const { properties, additionalProperties, required } = alternative;
    const entries = map.entries.map(([name, entry]) => {
      const schema = properties.has(name) ? properties.get(name) : additionalProperties;
      const inner = path === '' ? name : `${path}.${name}`;
      return [name, typeValue(entry, schema, inner, typing)] as const;
    });
    const isWhole = required.every((name) => map.entries.some(([given]) => given === name));
    return {
      value: Object.fromEntries(entries.map(([name, entry]) => [name, entry.value])),
      problems: entries.flatMap(([, entry]) => entry.problems),
      isWhole,
    };
  });
  return best(typed) ?? misfit(map, alternatives, path);
}

function typeList(
  list: SourceList,
  alternatives: readonly Alternative[],
  path: string,
  typing: Typing,
): Typed {
  const typed = alternatives.filter(allows('array')).map(({ prefixItems, items }) => () => {
    const values = list.items.map((item, index) =>
      typeValue(
        item,
        index < prefixItems.length ? prefixItems[index] : items,
        `${path}[${index}]`,
        typing,
      ),
    );
    return {
      value: values.map(({ value }) => value),
      problems: values.flatMap(({ problems }) => problems),
      isWhole: true,
    };
  });
  return best(typed) ?? misfit(list, alternatives, path);
}

/** The first reading without a problem, else the first. */
function best(readings: readonly (() => Typed & { readonly isWhole: boolean })[]): Typed | null {
  let first: Typed | null = null;
  for (const read of readings) {
    const typed = read();
    if (typed.problems.length === 0 && typed.isWhole) return typed;
    first ??= typed;
  }
  return first;
}

function allows(type: string): (alternative: Alternative) => boolean {
  return ({ types, values }) => (types === null ? values === null : types.has(type));
}

function misfit(value: SourceValue, alternatives: readonly Alternative[], path: string): Typed {
  const expected = describeExpected(alternatives);
  const actual = describeSource(value);
  const message = `Parameter "${path}": expected ${expected}, got ${actual}.`;
  return { value: plainValue(value), problems: [{ path, expected, actual, message }] };
}
