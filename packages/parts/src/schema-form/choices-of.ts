import { oneLine } from '@errand/host';
import { isRecord } from '@errand/wire';
import { listOf, type Schema } from './schema.ts';

export interface Choice {
  readonly label: string;
  readonly value: unknown;
}

const mostChoices = 1_000;

/** The values a schema lists; undefined when it lists none, or too many to choose from. */
export function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const names = listOf(schema.enumNames);
  const values = listOf(schema.enum);
  if (values.length > 0 && values.length <= mostChoices) {
    return values.map((value, index) => ({ label: labelOf(names[index], value), value }));
  }
  const parts = [schema.oneOf, schema.anyOf].map(listOf).find(({ length }) => length > 0) ?? [];
  if (parts.length === 0 || parts.length > mostChoices) return undefined;
  const fixed = parts.filter((part) => isRecord(part)).filter((part) => 'const' in part);
  if (fixed.length < parts.length) return undefined;
  return fixed.map(({ const: value, title }) => ({ label: labelOf(title, value), value }));
}

function labelOf(name: unknown, value: unknown): string {
  return oneLine(wordsOf(name, value));
}

function wordsOf(name: unknown, value: unknown): string {
  if (typeof name === 'string' && name !== '') return name;
  if (typeof value === 'string' && value !== '') return value;
  return JSON.stringify(value) ?? '';
}
