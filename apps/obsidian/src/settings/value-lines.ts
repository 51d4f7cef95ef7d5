import type { Pair } from '@errand/host/forms';

/** How names and values are separated: `NAME=value`, `Header: value`. */
export type Separator = '=' | ':';

export function linesOf(pairs: readonly Pair[], separator: Separator): string {
  const between = separator === ':' ? ': ' : '=';
  return pairs.map(({ name, value }) => `${name}${between}${value}`).join('\n');
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
      return { name: line.slice(0, at).trim(), value: separator === ':' ? value.trim() : value };
    });
}
