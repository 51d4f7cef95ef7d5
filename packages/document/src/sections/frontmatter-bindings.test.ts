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
  ['mcp:\n  server: [a', /line \d: This is not YAML/],
  ['mcp: {}\nmcp: {}', /line 3: This is not YAML/],
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

test.each([
  ['mcp:', 2],
  ['mcp:\n  sections:', 3],
  ['mcp:\n  #server: db', 2],
  ['# mcp:\n#   server: db', 2],
  ['mcp:\n  sections:\n    - {heading: A, server: db}\n    #- {heading: B, server: db}', 5],
])('reports bindings that are empty or commented out: %j', (frontmatter, line) => {
  const { decide, problems } = resolve(note(frontmatter, '# A', '# B'));
  expect(decide(99)).toEqual({ kind: 'unbound' });
  expect(problems[0]).toEqual({ line, message: expect.stringMatching(/has no effect/) });
});

test.each([
  ['mcp:\nserver: db', /line \d: This looks like bindings/],
  ['mcp:\nsections:\n  - {heading: A, server: db}', /line \d: This looks like bindings/],
  ['#mcp:\n  server: db', /line \d: This looks like bindings/],
  ['- mcp:\n    server: db', /line \d: This looks like bindings/],
  ['[mcp: {server: db}]', /line \d: This looks like bindings/],
  ['{mcp: {server: db}', /This is not YAML/],
  ['tags:\n  mcp:\n    server: db', /line \d: This looks like bindings/],
  ['MCP:\n  server: db', /"MCP" must be written "mcp"/],
  ['MCP: db', /"MCP" must be written "mcp"/],
  ['mpc: {server: db}', /line \d: This looks like bindings/],
  ['a: [\nmcp: {server: db}', /This is not YAML/],
])('bindings that are not below "mcp" refuse the note: %j', (frontmatter, message) => {
  const { decide, problems } = resolve(note(frontmatter, 'x'));
  const refused = { kind: 'refused', message: expect.stringMatching(message) };
  expect(decide(99)).toMatchObject(refused);
  expect(problems).toMatchObject([{ message: expect.stringMatching(message) }]);
});

test.each([
  '---\nmcp:\n  server: db\n# A\n',
  '---\r\nmcp:\r\n  server: db\r\n----\r\n# A\r\n',
  '--\nmcp: {server: db}\n---\n# A\n',
  '\n---\nmcp: {server: db}\n---\n# A\n',
  '\uFEFF ---\nmcp: {server: db}\n---\n# A\n',
])('frontmatter with bindings that is not closed, or not opened, refuses the note: %j', (text) => {
  const { decide, problems } = resolve(text);
  expect(decide(99)).toMatchObject({ kind: 'refused' });
  expect(problems).toMatchObject([{ line: 1, message: expect.stringMatching(/Write --- alone/) }]);
});

test.each([
  '---\n"m\\x63p":\n  "s\\x65rver": db\n---\n# A\n',
  '---\n{"\\u006dcp": {"\\U00000073erver": db}}\n---\n# A\n',
  '---\n{"m\\\n  cp": {"ser\\\n  ver": db}}\n---\n# A\n',
])('a quoted key with escapes binds as it reads: %j', (text) => {
  expect(resolve(text).decide(99)).toMatchObject({ kind: 'bound', server: 'db' });
});

test.each([
  '---\na: &a mcp\n*a : {server: db}\n---\n# A\n',
  '---\na: &a "m\\x63p"\n*a : {"s\\x65rver": db}\n---\n# A\n',
  '---\nｍｃｐ: {server: db}\n---\n# A\n',
  '---\nｍｃｐ: {ｓｅｒｖｅｒ: db}\n---\n# A\n',
  '---\nmcp: {ｓｅｒｖｅｒ: db}\n---\n# A\n',
  '---\nm\u200bcp: {se\u00adrver: db}\n---\n# A\n',
  '---\nm\u200bcp: [\n---\n# A\n',
  '---\nx: 1\n...\n---\nmcp:\n  server: db\n---\n# A\n',
  '---\nx: 1\n...\nmcp:\n  server: db\n---\n# A\n',
  '---\nx: 1\n---\n---\nmcp: # mine\n  server: db\n---\n# A\n',
  '---\r\nx: 1\r\n---\r\n\r\nmcp:\r\n  sections:\r\n    - {heading: A, server: db}\r\n...\r\n# A\r\n',
  '<!-- x -->\n---\nmcp: {server: db}\n---\n# A\n',
  '%% x %%\n\n---\nｍｃｐ: {server: db}\n---\n# A\n',
  '# x\n---\n"mcp":\n  server: db\n---\n# A\n',
  'mcp:\n  server: db\n---\n# A\n',
])('reports bindings that cannot be parsed, and refuses the note: %j', (text) => {
  const { decide, problems } = resolve(text);
  expect(decide(99)).toMatchObject({ kind: 'refused' });
  expect(problems).toHaveLength(1);
});

test.each([
  '---\n\nText\n',
  '# About\n\nmcp: a protocol\n',
  '- a\n- b\n\n```yaml\nmcp:\n  server: db\n```\n',
  '---\n\n```yaml\nmcp:\n  server: db\n```\n',
  '---\nx: 1\n---\n# About\n\nmcp: a protocol\n\n---\n\nserver: a program\n',
  '---\nx: 1\n---\n# About\n\n```yaml\nmcp:\n  server: db\n---\n```\n',
])('ignores a note without bindings: %j', (text) => {
  expect(resolve(text)).toMatchObject({ problems: [] });
});

test('frontmatter of other kinds is left alone', () => {
  for (const frontmatter of [
    'title: mcp',
    '- mcp',
    'mcp: {}',
    'a: [',
    'about: "mcp: x"',
    'x: [\n# about mcp',
    'map: dust\nserver: eu-1',
    'tags: [mcp]\nserver: eu-1',
    'tags:\n  - mcp\nserver: eu-1',
    'dhcp:\n  server: eu-1',
    'tcp:\n  server: eu-1\n  port: 1',
    'deploy: {server: eu-1}',
  ]) {
    expect(resolve(note(frontmatter, 'x'))).toMatchObject({ problems: [] });
  }
});

test.each([
  '#'.repeat(100),
  '# mcp ',
  '# \n',
  'server:',
  'server: \n',
  ' '.repeat(100),
  '{ ',
  ' - ',
  'mcp ',
  '---\n',
  'mcp:\n',
  '*a : 1\n',
  '\\x6d',
])('reads frontmatter made of nothing but %j in linear time', (part) => {
  const body = part.repeat(60_000 / part.length);
  for (const text of [
    `---\n${body}\n---\n`,
    `---\n# mcp${body}\n---\n`,
    `---\n${body} mcp:`,
    `a\n${body}\n---\n`,
  ]) {
    expect(resolve(text).sections).not.toEqual([]);
  }
});
