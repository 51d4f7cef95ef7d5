import { isTypo } from '../is-typo.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { type OutlineSection, outlineOf, sectionPath } from './outline.ts';

/**
 * The sections that a binding's heading means: `Weather`, `## Weather` (of that level only), or
 * `Trips > Weather` (below a heading of the first name).
 */
export function matchHeading(
  outline: readonly OutlineSection[],
  wanted: string,
): readonly OutlineSection[] {
  const name = nameOf(wanted);
  const whole = outline.filter((section) => isNamed(section, name));
  if (whole.length > 0 || !wanted.includes(' > ')) return whole;
  const [last = name, ...above] = wanted.split(' > ').reverse().map(nameOf);
  return outline.filter((section) => isNamed(section, last) && isBelow(section, above));
}

/** The lines of the sections that a heading means, as `matchHeading` reads it. */
export function sectionsNamed(
  scan: NoteScan,
  wanted: string,
): readonly { readonly first: number; readonly last: number }[] {
  return matchHeading(outlineOf(scan), wanted).map(({ heading, endLine }) => ({
    first: heading.line,
    last: endLine,
  }));
}

/** Whether a heading differs from the wanted one only in level, case or one typo. */
export function isHeadingTypo({ heading }: OutlineSection, wanted: string): boolean {
  const text = collapse(heading.text);
  const title = `${'#'.repeat(heading.level)} ${text}`;
  return [wanted, wanted.split('>').at(-1) ?? ''].some(
    (name) => isTypo(collapse(name), title) || isTypo(collapse(name.replace(/^[\s#]+/, '')), text),
  );
}

interface HeadingName {
  /** 0 when any level will do. */
  readonly level: number;
  readonly text: string;
}

function nameOf(wanted: string): HeadingName {
  const trimmed = wanted.trim();
  const hashes = /^#{1,6}(?=\s|$)/.exec(trimmed)?.[0] ?? '';
  return { level: hashes.length, text: collapse(trimmed.slice(hashes.length)) };
}

/** Whether the names are headings above the section in this order, innermost first; others may be in between. */
function isBelow(section: OutlineSection, names: readonly HeadingName[]): boolean {
  let left = names;
  for (const around of sectionPath(section.parent).toReversed()) {
    const [name] = left;
    if (name !== undefined && isNamed(around, name)) left = left.slice(1);
  }
  return left.length === 0;
}

function isNamed({ heading }: OutlineSection, { level, text }: HeadingName): boolean {
  return (level === 0 || level === heading.level) && text === collapse(heading.text);
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
