import { lastIndex } from '../last-index.ts';
import type { Heading, NoteScan } from '../scan/note-scan.ts';

/** A heading with everything below it, up to the next heading of its level or above. */
export interface OutlineSection {
  readonly heading: Heading;
  readonly endLine: number;
  readonly parent: OutlineSection | null;
}

/** The outline of a note. Headings in quotes, list items, comments and results do not count. */
export function outlineOf(scan: NoteScan): readonly OutlineSection[] {
  const headings = scan.headings.filter(
    (heading) => heading.container === null && heading.within === null,
  );
  const sections: OutlineSection[] = [];
  const open: { heading: Heading; endLine: number; parent: OutlineSection | null }[] = [];
  for (const heading of headings) {
    for (let last = open.at(-1); last && last.heading.level >= heading.level; last = open.at(-1)) {
      last.endLine = heading.line - 1;
      open.pop();
    }
    const section = { heading, endLine: scan.lineCount, parent: open.at(-1) ?? null };
    open.push(section);
    sections.push(section);
  }
  return sections;
}

/** The innermost section that contains a line; null above the first heading. */
export function sectionAt(outline: readonly OutlineSection[], line: number): OutlineSection | null {
  return outline[lastIndex(outline, ({ heading }) => heading.line <= line)] ?? null;
}

/** The last line before the next heading of any level. */
export function lastLineBeforeHeading(
  outline: readonly OutlineSection[],
  line: number,
  { lineCount }: Pick<NoteScan, 'lineCount'>,
): number {
  const next = outline[lastIndex(outline, ({ heading }) => heading.line <= line) + 1];
  return next === undefined ? lineCount : next.heading.line - 1;
}

/** The headings from the outermost down to this one. */
export function sectionPath(section: OutlineSection | null): readonly OutlineSection[] {
  const path: OutlineSection[] = [];
  for (let at = section; at !== null; at = at.parent) path.push(at);
  return path.reverse();
}

/** `## Weather` */
export function headingTitle({ heading }: OutlineSection): string {
  return `${'#'.repeat(heading.level)} ${heading.text}`.trimEnd();
}
