import { difference } from '@errand/document/display';

/** A text as an editor has it: every line ended by LF. */
export function plainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * An edited text with the line ends of the file it came from: lines that nobody touched stay byte for
 * byte, new ones end as most do.
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
