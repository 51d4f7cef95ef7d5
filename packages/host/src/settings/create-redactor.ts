/** Shorter values cannot be told from ordinary text. */
const shortest = 4;

/** A function that puts a name in the place of each value, in whatever spelling it appears. */
export function createRedactor(
  valuesByName: ReadonlyMap<string, string>,
): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, value] of valuesByName) {
    for (const spelling of spellings(value)) {
      if (spelling.length >= shortest) names.set(spelling, name);
    }
  }
  if (names.size === 0) return asItIs;
  // Longest first, so that a value that contains another one goes as a whole.
  const alternatives = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(alternatives.join('|'), 'g');
  return (text) => text.replace(pattern, (spelling) => names.get(spelling) ?? spelling);
}

/** What the function is when there is nothing to hide. */
export const asItIs = (text: string): string => text;

/** Plainly, trimmed, in JSON and in an address. */
function spellings(value: string): string[] {
  return [value, value.trim(), JSON.stringify(value).slice(1, -1), encodeAddress(value)];
}

function encodeAddress(value: string): string {
  // Half of a surrogate pair cannot be part of an address.
  return encodeURIComponent(value.toWellFormed());
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
