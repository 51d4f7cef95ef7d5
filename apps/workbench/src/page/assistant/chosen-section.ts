import type { Section } from '../../contract.ts';

/** The section that route options select, by its headings or by a line in it. */
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

/** The name of a section in URLs; line numbers would not stay valid. */
export function nameOf({ path }: Section): string {
  return path.join(' / ');
}
