import { oneLine } from '@errand/host';
import { isRecord } from '@errand/wire';
import { listOf, recordOf, resolveSchema, type Schema } from './schema.ts';

/** The label of an alternative: its title, its discriminating value, or its type. */
export function variantLabel(schema: unknown, root: Schema): string | undefined {
  const words = wordsOf(schema, root);
  return words === undefined ? undefined : oneLine(words);
}

function wordsOf(schema: unknown, root: Schema): string | undefined {
  const resolved = resolveSchema(schema, root);
  if (resolved === undefined) return undefined;
  const { title, type, properties, const: value } = resolved;
  if (typeof title === 'string' && title !== '') return title;
  if (value !== undefined) return String(JSON.stringify(value));
  const mark = Object.values(recordOf(properties)).find(
    (part) => isRecord(part) && typeof part.const === 'string',
  );
  if (isRecord(mark)) return String(mark.const);
  const required = listOf(resolved.required).filter((name) => typeof name === 'string');
  if (isRecord(properties) && required.length > 0) return `With ${required.slice(0, 3).join(', ')}`;
  return typeof type === 'string' ? types.get(type) : undefined;
}

const types: ReadonlyMap<string, string> = new Map([
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
  ['object', 'Several fields'],
  ['array', 'A list'],
]);
