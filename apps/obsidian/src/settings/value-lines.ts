import type { Pair } from '@errand/workspace/servers';

/** How names and values are separated: `NAME=value`, `Header: value`. */
export type Separator = '=' | ':';

/** One line for each; a value of an environment that has line ends is written in quotes, as in JSON. */
export function linesOf(pairs: readonly Pair[], separator: Separator): string {
  const between = separator === ':' ? ': ' : '=';
  return pairs.map(({ name, value }) => `${name}${between}${written(value, separator)}`).join('\n');
}

function written(value: string, separator: Separator): string {
  const isOdd = /[\r\n]/.test(value) || unquoted(value) !== value;
  return separator === '=' && isOdd ? JSON.stringify(value) : value;
}

/** The pairs of a text, one in each line; empty lines are nothing. */
export function readLines(text: string, separator: Separator): readonly Pair[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(separator);
      if (at === -1) return { name: '', value: line.trim() };
      const value = line.slice(at + 1);
      const name = line.slice(0, at).trim();
      return { name, value: separator === ':' ? value.trim() : unquoted(value) };
    });
}

/** What stands in quotes, when it is written as in JSON; everything else as it is. */
function unquoted(value: string): string {
  if (!/^".*"$/.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
