import { type Heading, scan } from '@errand/document';
import { VaultError } from '../vault-error.ts';

/** A stretch of a note as offsets into its text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The headings of a note, in order; those inside comments and results do not count. */
export function findHeadings(text: string): readonly Heading[] {
  return scan(text).headings.filter(
    ({ within, container }) => within === null && container === null,
  );
}

/** A heading with everything below it, up to the next heading of its level or above. */
export function findSection(text: string, wanted: string): Stretch {
  const headings = findHeadings(text);
  const [, marks = '', title = ''] = /^(#{0,6})\s*(.*?)\s*$/s.exec(wanted) ?? [];
  const matches = headings.filter(
    (heading) => heading.text === title && (marks === '' || heading.level === marks.length),
  );
  const [found, second] = matches;
  if (found === undefined) throw noSuchHeading(wanted, headings);
  if (second !== undefined) {
    throw new VaultError(
      'invalid_input',
      `The heading ${JSON.stringify(wanted)} occurs ${matches.length} times, on lines ${matches.map(({ line }) => line).join(', ')}. Use start_line and end_line instead.`,
    );
  }
  const next = headings.find(({ from, level }) => from > found.from && level <= found.level);
  return { from: lineStart(text, found.from), to: next ? lineStart(text, next.from) : text.length };
}

/** The lines of a note from one number to another, both counted from 1 and included. */
export function findLines(text: string, first: number, last: number): Stretch {
  if (last < first) {
    throw new VaultError('invalid_input', `end_line ${last} comes before start_line ${first}.`);
  }
  const from = startOfLine(text, first);
  return { from, to: Math.max(from, startOfLine(text, last + 1)) };
}

/** The number of the line an offset stands on, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let current = 1; current < line; current++) {
    const next = text.indexOf('\n', at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function noSuchHeading(wanted: string, headings: readonly Heading[]): VaultError {
  const some = headings.slice(0, 10).map(({ text }) => JSON.stringify(text));
  const hint = some.length === 0 ? 'It has none.' : `There are: ${some.join(', ')}`;
  return new VaultError(
    'not_found',
    `The note has no heading ${JSON.stringify(wanted)}. ${hint}${headings.length > 10 ? ', …' : ''}`,
  );
}
