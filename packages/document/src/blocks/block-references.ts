import type { SourceMap, SourceValue } from '../params/source-value.ts';

/**
 * The ids of the blocks whose answers these parameters refer to, as in `"{{ blocks.ID.path }}"`: each once, in
 * the order in which they are written.
 */
export function blockReferences(params: SourceMap): readonly string[] {
  return [...new Set(textsOf(params).flatMap(idsIn))];
}

/** All texts in a value. */
export function textsOf(value: SourceValue): readonly string[] {
  switch (value.kind) {
    case 'scalar':
      return typeof value.value === 'string' ? [value.source] : [];
    case 'list':
      return value.items.flatMap(textsOf);
    case 'map':
      return value.entries.flatMap(([, entry]) => textsOf(entry));
  }
}

/** The ids of the blocks that a text refers to. */
export function idsIn(text: string): readonly string[] {
  return expressionsIn(text).flatMap((inside) =>
    [...inside.matchAll(reference)].map(([, bare, quoted]) => bare ?? quoted ?? ''),
  );
}

/** Names that templates of a text read a part of, or that are all of it: `{{ trip.city }}`, but not `for {{ trip }}`. */
export function bareIdsIn(text: string): readonly string[] {
  const isAll = /^\s*\{\{[^{}]*\}\}\s*$/.test(text);
  return firstNamesIn(text, isAll ? '' : '\\s*[.[]').filter((name) => name !== 'blocks');
}

/** The names that the expressions of a text begin with, where this pattern follows. */
export function firstNamesIn(text: string, followedBy = ''): readonly string[] {
  const first = new RegExp(`^-?\\s*([\\w-]+)(?![\\w-])${followedBy}`);
  return expressionsIn(text).flatMap((inside) => first.exec(inside)?.[1] ?? []);
}

/** What stands inside the outputs and tags of a Liquid template. */
export function expressionsIn(text: string): readonly string[] {
  const found: string[] = [];
  const opening = /\{[{%]/g;
  for (let start = opening.exec(text); start !== null; start = opening.exec(text)) {
    const end = text.indexOf(start[0] === '{{' ? '}}' : '%}', opening.lastIndex);
    // One that is not closed still says what it means, and is told as a mistake.
    if (end === -1) return [...found, text.slice(opening.lastIndex)];
    found.push(text.slice(opening.lastIndex, end));
    opening.lastIndex = end + 2;
  }
  return found;
}

const reference = /(?<![\w.-])blocks\s*(?:\.\s*([\w-]+)|\[\s*["']([\w-]+)["']\s*\])/g;
