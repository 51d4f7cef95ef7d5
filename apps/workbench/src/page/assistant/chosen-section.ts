import type { Section } from '../../contract.ts';

/** The part of a note that an address means: by its headings, or by a line in it. */
export function chosenSection(
  sections: readonly Section[],
  options: Readonly<Record<string, string>>,
): Section | undefined {
  const headings = sections.filter(({ kind }) => kind === 'heading');
  if (options.section !== undefined) {
    return headings.find((section) => nameOf(section) === options.section);
  }
  const line = Number(options.line);
  return headings.findLast((section) => section.line <= line && line <= section.endLine);
}

/** What an address calls a section; lines move while the note is written. */
export function nameOf({ path }: Section): string {
  return path.join(' / ');
}
