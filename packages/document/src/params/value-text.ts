import { stringify } from 'yaml';

/** A value as it is written behind `name: `, on one line; a text that YAML would read as something else is quoted. */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return stringify(value, { blockQuote: false, lineWidth: 0 }).trimEnd();
}
