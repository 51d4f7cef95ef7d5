import { stringify } from 'yaml';

/** A value as one line of YAML after `name: `; text that YAML would read as something else is quoted. */
export function valueText(value: unknown): string {
  // A quoted text may go on over several lines in YAML, and the library writes some so.
  if (typeof value !== 'string' || /[\r\n]/.test(value)) return JSON.stringify(value);
  // Most values are plain words, and asking the library about thousands of them is slow.
  if (plainWord.test(value) && !constants.test(value)) return value;
  return stringify(value, { blockQuote: false, lineWidth: 0 }).trimEnd();
}

const plainWord = /^[A-Za-z][\w-]*(?: [\w-]+)*$/;
const constants = /^(?:null|true|false)$/i;
