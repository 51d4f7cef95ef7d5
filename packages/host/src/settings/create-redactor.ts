import { secretSpellings } from './secret-spellings.ts';

/** A function that puts a name in the place of each value, in whatever spelling it appears. */
export function createRedactor(
  valuesByName: ReadonlyMap<string, string>,
): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, value] of valuesByName) {
    for (const spelling of secretSpellings(value)) names.set(spelling, name);
  }
  if (names.size === 0) return asItIs;
  // Longest first, so that a value that contains another one goes as a whole.
  const alternatives = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(alternatives.join('|'), 'g');
  return (text) => text.replace(pattern, (spelling) => names.get(spelling) ?? spelling);
}

/** What the function is when there is nothing to hide. */
export const asItIs = (text: string): string => text;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
