import { type OutlineSection, sectionPath } from './outline.ts';

/**
 * The sections that a binding's heading means: `Weather`, `## Weather` (of that level only), or
 * `Trips > Weather` (below a heading of the first name).
 */
export function matchHeading(
  outline: readonly OutlineSection[],
  wanted: string,
): readonly OutlineSection[] {
  const whole = outline.filter((section) => isNamed(section, wanted));
  if (whole.length > 0 || !wanted.includes(' > ')) return whole;
  const [last = '', ...above] = wanted.split(' > ').reverse();
  return outline.filter((section) => isNamed(section, last) && isBelow(section, above));
}

/** The names stand in this order above the section, innermost first; others may stand between. */
function isBelow(section: OutlineSection, names: readonly string[]): boolean {
  let left = names;
  for (const around of sectionPath(section.parent).toReversed()) {
    const [name] = left;
    if (name !== undefined && isNamed(around, name)) left = left.slice(1);
  }
  return left.length === 0;
}

function isNamed({ heading }: OutlineSection, name: string): boolean {
  const [, hashes = '', text = ''] = /^\s*(#{0,6})(?:\s+|(?<!#))(.*?)\s*$/s.exec(name) ?? [];
  if (hashes !== '' && hashes.length !== heading.level) return false;
  return collapse(text) === collapse(heading.text);
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
