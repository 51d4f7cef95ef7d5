import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { resolveSections } from './resolve-sections.ts';
import { shownAt } from './shown-at.ts';

function shown(text: string): Readonly<Record<string, number>> {
  const note = scan(text);
  const { sections } = resolveSections(note, contextOf(['w']));
  return Object.fromEntries(sections.map((section) => [section.title, shownAt(note, section)]));
}

const properties = (entry: string) => `---\nmcp:\n  sections:\n    - {${entry}, server: w}\n---\n`;
const result = '```w\ntool: t\n```\n\n```mcp-result req=1 sum=2 type=text\nhi\n```\n';

test('a note is shown at its first text, a heading where it stands', () => {
  expect(shown('# A\n\n## B\n')).toEqual({ note: 1, '# A': 1, '## B': 3 });
  expect(shown('---\na: b\n---\n\nText\n# A\n')).toEqual({ note: 5, '# A': 6 });
  expect(shown('---\na: b\n---')).toEqual({ note: 4 });
});

test('a block is shown at its id', () => {
  const text = `${properties('block: own')}\n\`\`\`w\ntool: t\n\`\`\`\n^own\n`;
  expect(shown(text)).toMatchObject({ '^own': 10 });
});

test('shows a range at its first line outside code, whatever results are above', () => {
  const text = `${properties('lines: [9, 20]')}${result}Text\n${result}More\n`;
  expect(shown(text)).toMatchObject({ 'lines 9 to 20': 13 });
  const inCode = `${properties('lines: [10, 20]')}${result}Text\n${result}More\n`;
  expect(shown(inCode)).toMatchObject({ 'lines 10 to 20': 17 });
});
