import { difference } from '@errand/document/display';

/** Normalizes all line endings to LF, as the editor does. */
export function plainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * Restores the line endings of the original file: unchanged lines stay byte for byte, new ones get
 * the most common ending.
 */
export function withLineEnds(original: string, edited: string): string {
  if (!original.includes('\r')) return edited;
  const before = original.split(/(?<=\r\n|\n|\r(?!\n))/);
  const after = edited.split(/(?<=\n)/);
  const plain = before.map(plainLineEnds);
  const found = difference(plain, after);
  if (found === undefined) return original;
  const usual = before.filter((line) => line.endsWith('\r\n')).length * 2 >= before.length - 1;
  const changed = after
    .slice(found.from, found.toAfter)
    .map((line) => (usual ? line.replace(/\n$/, '\r\n') : line));
  return [...before.slice(0, found.from), ...changed, ...before.slice(found.toBefore)].join('');
}
