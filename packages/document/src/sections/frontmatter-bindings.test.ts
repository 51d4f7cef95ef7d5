import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { resolveSections } from './resolve-sections.ts';

function resolve(text: string) {
  return resolveSections(scan(text), contextOf(['weather', 'db']));
}

function note(frontmatter: string, ...body: readonly string[]): string {
  return `---\n${frontmatter}\n---\n${body.join('\n')}\n`;
}

test.each([
  ['mcp: weather', /line 2: "mcp" must hold "server" or "sections"/],
  ['mcp:\n  sever: db', /line 3: "mcp" has no "sever"/],
  ['mcp:\n  sections: {}', /line 3: "sections" must be a list/],
  ['mcp:\n  sections:\n    - weather', /line 4: A section needs/],
  ['mcp:\n  sections:\n    - server: db', /line 4: A section names exactly one/],
  ['mcp:\n  sections:\n    - { heading: A, block: b, server: db }', /exactly one/],
  ['mcp:\n  sections:\n    - heading: # A\n      server: db', /Put it in quotes/],
  ['mcp:\n  sections:\n    - { lines: [4, 4], server: db }', /the first before the last/],
  ['mcp:\n  sections:\n    - { lines: 4, server: db }', /two line numbers/],
  ['mcp:\n  server: [a', /The frontmatter is not YAML: line \d/],
  ['mcp: {}\nmcp: {}', /The frontmatter is not YAML: line 3/],
])('a mistake never lifts a restriction: the whole note refuses %j', (frontmatter, message) => {
  const { decide, problems } = resolve(note(frontmatter, 'x'));
  expect(decide(99)).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) });
  expect(problems).toHaveLength(1);
});

test.each([
  ['mcp:\n  server: 5.0', /There is no server "5.0"/],
  ['mcp:\n  server:', /"server" must name a server/],
])('a wrong server for the whole note refuses it: %j', (frontmatter, message) => {
  expect(resolve(note(frontmatter, 'x')).decide(5)).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(message),
  });
});

test.each([
  ['{ heading: A }', /"server" must name a server/],
  ['{ heading: A, server: db, inherit: maybe }', /"inherit" must be true or false/],
  ['{ heading: A, server: db, colour: red }', /A section has no "colour"/],
])('a mistake in one entry refuses its section: %s', (entry, message) => {
  const { decide } = resolve(note(`mcp:\n  sections:\n    - ${entry}`, '# A', 'x', '# B'));
  expect(decide(7)).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) });
  expect(decide(8)).toEqual({ kind: 'unbound' });
});

test('frontmatter of other kinds is left alone', () => {
  for (const frontmatter of [
    'title: mcp',
    '- mcp',
    'mcp:',
    'a: [',
    'about: "mcp: x"',
    'x: [\n# about mcp',
  ]) {
    expect(resolve(note(frontmatter, 'x'))).toMatchObject({ problems: [] });
  }
});
