import { expect, test } from 'vitest';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import type { NoteContext } from '../note-context.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { resolveSections } from './resolve-sections.ts';

const context = contextOf(['weather', 'db', 'vault']);

function note(frontmatter: string, ...body: readonly string[]): string {
  return `---\n${frontmatter}\n---\n${body.join('\n')}\n`;
}

function resolve(text: string, known: NoteContext = context) {
  const { sections, problems, decide } = resolveSections(scan(text), known);
  return {
    explained: sections.map(({ explanation }) => explanation),
    problems: problems.map(({ message, line }) => [line, message]),
    decide,
  };
}

/** The frontmatter's `mcp` with these entries of `sections`. */
function sections(...entries: readonly string[]): string {
  return ['mcp:', '  sections:', ...entries.map((entry) => `    - ${entry}`)].join('\n');
}

test('a note without bindings may ask any server', () => {
  expect(resolve('# A\n')).toMatchObject({
    explained: ['note -> any server (no binding)', '# A -> any server (no binding)'],
    problems: [],
  });
});

test('explains every decision, and how it is inherited and overridden', () => {
  const text = note(
    'title: x\nmcp:\n  server: vault\n  sections:\n    - heading: "## Weather"\n      server: Weather\n    - heading: Db\n      server: db',
    ...['# Trip', '## Weather', '### Today', '### Db', '## Other'],
  );
  expect(resolve(text).explained).toEqual([
    'note -> vault (frontmatter line 4)',
    '# Trip -> vault (frontmatter line 4)',
    '## Weather -> weather (frontmatter line 6)',
    '### Today -> weather (frontmatter line 6, from ## Weather)',
    '### Db -> db (frontmatter line 8)',
    '## Other -> vault (frontmatter line 4)',
  ]);
});

test('a binding without inherit holds up to the next heading below', () => {
  const text = note(
    sections('{ heading: A, server: db }', '{ heading: B, server: weather, inherit: false }'),
    ...['# A', '## B', '### C'],
  );
  expect(resolve(text).explained.slice(1)).toEqual([
    '# A -> db (frontmatter line 4)',
    '## B -> weather (frontmatter line 5)',
    '### C -> db (frontmatter line 4, from # A)',
  ]);
});

test('a heading is found by its text, its level, or the headings above it', () => {
  const body = ['# Rome', '## Weather', '# Oslo', '### Weather', '# Weather > News'];
  const lines = (heading: string) => {
    const text = note(sections(`{ heading: ${JSON.stringify(heading)}, server: db }`), ...body);
    const { decide, problems } = resolve(text);
    const bound = body.flatMap((_, index) =>
      decide(6 + index).kind === 'bound' ? [6 + index] : [],
    );
    return { bound, problems: problems.map(([, message]) => message) };
  };
  expect(lines('## Weather').bound).toEqual([7]);
  expect(lines('Oslo > Weather').bound).toEqual([9]);
  expect(lines('# Oslo > ### Weather').bound).toEqual([9]);
  expect(lines('Weather > News').bound).toEqual([10]);
  expect(lines('Paris')).toEqual({
    bound: [],
    problems: [
      'Frontmatter line 4: No heading "Paris" in this note. Until this is corrected, parts of the note that nothing else binds refuse every call.',
    ],
  });
  expect(lines('Weather')).toEqual({
    bound: [],
    problems: [
      'Frontmatter line 4: The note has the heading "Weather" more than once, on lines 7 and 9. They refuse every call.',
    ],
  });
});

test('a section that is not there refuses what nothing else binds', () => {
  const bindings = (entry: string) =>
    note(sections(entry, '{ heading: B, server: weather }'), ...['x', '# A', 'x ^own', '# B']);
  for (const [entry, message] of [
    ['{ heading: "## A", server: db }', 'No heading "## A" in this note. Did you mean "# A"?'],
    ['{ heading: a, server: db }', 'No heading "a" in this note. Did you mean "# A"?'],
    ['{ heading: Gone, server: db }', 'No heading "Gone" in this note.'],
    ['{ block: onw, server: db }', 'No block ^onw in this note. Did you mean ^own?'],
    ['{ lines: [40, 50], server: db }', 'No line 40 in this note, which ends at line 10.'],
  ] as const) {
    const { explained, problems, decide } = resolve(bindings(entry));
    const effect =
      'Until this is corrected, parts of the note that nothing else binds refuse every call.';
    const why = `Frontmatter line 4: ${message} ${effect}`;
    expect(problems).toEqual([[4, why]]);
    expect(explained).toEqual([
      `note -> refused (${why})`,
      `# A -> refused (${why})`,
      '# B -> weather (frontmatter line 5)',
    ]);
    expect(decide(7)).toEqual({ kind: 'refused', message: why });
  }
});

test('a binding of the whole note holds where a section is not found', () => {
  const front = 'mcp:\n  server: vault\n  sections:\n    - { heading: Gone, server: db }';
  const { explained, problems } = resolve(note(front, '# A'));
  expect(explained[1]).toBe('# A -> vault (frontmatter line 3)');
  expect(problems).toHaveLength(1);
});

test('lines win over blocks, blocks over headings', () => {
  const text = note(
    sections(
      '{ heading: A, server: vault }',
      '{ block: ^w1, server: db }',
      '{ lines: [12, 13], server: weather }',
    ),
    ...['# A', 'x', '- y ^w1', '  - z', '', '- q', 'r'],
  );
  const { decide, explained } = resolve(text);
  const servers = Array.from({ length: 7 }, (_, index) => decide(8 + index)).map((decision) =>
    decision.kind === 'bound' ? decision.server : decision.kind,
  );
  expect(servers).toEqual(['vault', 'vault', 'db', 'db', 'weather', 'weather', 'vault']);
  expect(explained.slice(-2)).toEqual([
    '^w1 -> db (frontmatter line 5)',
    'lines 12 to 13 -> weather (frontmatter line 6)',
  ]);
});

test('a block id binds the fence above it, a whole list, or a heading’s section', () => {
  const text = note(
    sections(
      '{ block: f, server: db }',
      '{ block: l, server: vault }',
      '{ block: h, server: weather }',
    ),
    ...['```js', '```', '^f', '', '- a', '- b', '', '^l', '', '# H ^h', 'x', '## I', 'y', '# J'],
  );
  const { decide, problems } = resolve(text);
  const bound = Array.from({ length: 14 }, (_, index) => decide(8 + index)).map((decision) =>
    decision.kind === 'bound' ? decision.server[0] : '-',
  );
  expect(bound.join('')).toBe('ddd-vvvv-wwww-');
  expect(problems).toEqual([]);
});

test('line ranges are counted as if results were not there', () => {
  const request = ['```weather', 'tool: a', '```'];
  const result = ['', '```mcp-result req=1 sum=2', 'x', 'y', '```'];
  const live = ['', '<!-- mcp-result req=1 sum=2 -->', '# x', '<!-- /mcp-result -->'];
  const front = sections('{ lines: [11, 12], server: db }');
  const blocks = (...body: readonly string[]) =>
    findToolBlocks(scan(note(front, ...body)), context).map(({ boundServer }) => boundServer);
  const bare = [...request, 'text', '', 'text', ...request];
  expect(blocks(...bare)).toEqual([null, 'db']);
  expect(blocks(...request, ...result, ...bare.slice(3))).toEqual([null, 'db']);
  expect(blocks(...request, ...live, ...bare.slice(3), ...result)).toEqual([null, 'db']);
});

test('a bound section refuses other servers and serves mcp blocks', () => {
  const text = note(
    sections('{ heading: A, server: db }'),
    ...[
      '# A',
      '```weather',
      'tool: a',
      '```',
      '```mcp',
      'tool: a',
      '```',
      '```db',
      'tool: a',
      '```',
    ],
  );
  const blocks = findToolBlocks(scan(text), context);
  expect(
    blocks.map(({ server, boundServer, refusal }) => [server, boundServer, refusal?.code]),
  ).toEqual([
    ['weather', 'db', 'section_forbids'],
    ['db', 'db', undefined],
    ['db', 'db', undefined],
  ]);
  expect(blocks[0]?.refusal).toMatchObject({
    line: 7,
    message:
      "This section is bound to db (frontmatter line 4), so weather may not be called here. Change the block's first line or the binding.",
  });
});

test('a binding to a server that does not exist refuses its section, and only that', () => {
  const text = note(sections('{ heading: A, server: wether }'), ...['# A', '## B', '# C']);
  const { explained, problems } = resolve(text);
  const why = 'Frontmatter line 4: There is no server "wether". Registered: weather, db, vault.';
  expect(explained).toEqual([
    'note -> any server (no binding)',
    `# A -> refused (${why})`,
    `## B -> refused (${why})`,
    '# C -> any server (no binding)',
  ]);
  expect(problems).toEqual([[4, why]]);
  const [block] = findToolBlocks(
    scan(`${text}\n# A\n`.replace('## B', '```db\ntool: a\n```')),
    context,
  );
  expect(block?.refusal?.code).toBe('section_forbids');
});

test('two bindings of equal rank refuse, unless they agree', () => {
  const rivals = (a: string, b: string) =>
    resolve(note(sections(a, b), '# A', 'x ^b')).decide(8).kind;
  expect(rivals('{ heading: A, server: db }', '{ heading: "# A", server: vault }')).toBe('refused');
  expect(rivals('{ lines: [5, 8], server: db }', '{ lines: [8, 9], server: vault }')).toBe(
    'refused',
  );
  expect(rivals('{ block: b, server: db }', '{ block: b, server: vault }')).toBe('refused');
  expect(rivals('{ heading: A, server: db }', '{ heading: "# A", server: DB }')).toBe('bound');
});
