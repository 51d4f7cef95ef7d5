import type { Alternative } from './json-schema.ts';
import type { SourceValue } from './source-value.ts';

/** What a schema wants, for a person: `an integer`, `one of "a", "b"`, `a string or nothing`. */
export function describeExpected(alternatives: readonly Alternative[]): string {
  const wanted = alternatives.flatMap(({ types, values }) => {
    if (values !== null) return [oneOf(values)];
    return [...(types ?? [])].map((type) => names[type] ?? type);
  });
  const unique = [...new Set(wanted)];
  return unique.length === 0 ? 'another value' : unique.join(' or ');
}

/** What was written, for a person; long texts are cut. */
export function describeSource(value: SourceValue): string {
  if (value.kind === 'list') return 'a list';
  if (value.kind === 'map') return 'a mapping';
  if (value.isPlain && value.source === '') return 'nothing';
  const { source } = value;
  return JSON.stringify(source.length > 60 ? `${source.slice(0, 57)}...` : source);
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, 12).map((value) => JSON.stringify(value));
  if (values.length === 1) return shown.join('');
  return `one of ${shown.join(', ')}${values.length > shown.length ? ', ...' : ''}`;
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'null',
};
