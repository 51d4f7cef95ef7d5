import { expect, test } from 'vitest';
import { applyEdits } from '../edits.ts';
import { emptyMap, plainValue } from '../params/source-value.ts';
import { writeResult } from '../results/write-result.ts';
import { rescan } from '../scan/rescan.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { findToolBlocks } from './find-tool-blocks.ts';

const context = contextOf(['weather', 'db']);

function find(note: string, known = context) {
  return findToolBlocks(scan(note), known);
}

/** A note with this one block, and the result of a call below it. */
function ran(body = 'tool: a', status: 'success' | 'error' = 'success') {
  const note = `\`\`\`weather\n${body}\n\`\`\`\n`;
  const scanned = scan(note);
  const [block] = findToolBlocks(scanned, context);
  const written =
    block &&
    writeResult(scanned, block, { status, type: 'text', payload: 'x\ny', code: 'timeout' });
  return written?.kind === 'edit' ? applyEdits(note, [written.edit]) : '';
}

test('a block is a request when its language is a server, in any case, or mcp', () => {
  const note =
    '```Weather\ntool: a\n```\n~~~mcp\ntool: b\n~~~\n```js\ntool: c\n```\n```\ntool: d\n```\n';
  expect(find(note).map(({ line, server, tool }) => [line, server, tool])).toEqual([
    [1, 'weather', 'a'],
    [4, 'weather', 'b'],
  ]);
});

test("a block with a tool whose language is nearly a server's name says which one", () => {
  expect(find('# A\n```weathr\ntool: a\n```\n')).toMatchObject([
    {
      line: 2,
      server: null,
      tool: 'a',
      state: 'invalid',
      problem: {
        code: 'server_unknown',
        line: 2,
        message: 'There is no server "weathr". Did you mean "weather"?',
      },
    },
  ]);
  expect(find('```weathr tool=a\ncity: b\n```\n')).toMatchObject([
    { tool: 'a', problem: { message: 'There is no server "weathr". Did you mean "weather"?' } },
  ]);
  for (const note of [
    '```weathr\ncity: a\n```\n',
    '```weathr tool=\ncity: a\n```\n',
    '```db2\ntool: a\n```\n',
    '```climate\ntool: a\n```\n',
    '%%\n```weathr\ntool: a\n```\n%%\n',
  ]) {
    expect(find(note)).toEqual([]);
  }
  expect(find('```yaml\ntool: a\n```\n', contextOf(['yaml2']))).toEqual([]);
});

test.each([
  ['wbe', 'web', true],
  ['EWB', 'web', true],
  ['wab', 'web', false],
  ['we', 'web', false],
  ['bew', 'web', false],
  ['fs', 'sf', false],
  ['sql', 'qsl', false],
  ['vim', 'ivm', false],
  ['tex', 'ext', false],
  ['nginx', 'ngnix', false],
  ['bases', 'basis', false],
  ['curl', 'crul', false],
])('a block %s with a tool means the server %s: %s', (language, server, isMeant) => {
  const found = find(`\`\`\`${language}\ntool: a\n\`\`\`\n`, contextOf([server]));
  expect(found.map(({ problem }) => problem?.message)).toEqual(
    isMeant ? [`There is no server "${language}". Did you mean "${server}"?`] : [],
  );
});

test('a block that names a server whose entry cannot be read says where', () => {
  const brokenServers = [{ name: 'mail', message: 'settings:4:9: Write a command.' }];
  const [block, other] = find('```Mail\ntool: a\n```\n\n```mcp\ntool: b\n```\n', {
    ...context,
    brokenServers,
  });
  expect(block).toMatchObject({
    server: 'mail',
    state: 'new',
    refusal: { code: 'settings_invalid', message: 'settings:4:9: Write a command.', line: 1 },
  });
  expect(other?.server).toBe('weather');
});

test('mcp means the first enabled server', () => {
  const [off, on] = contextOf(['off', 'on']).servers;
  if (off === undefined || on === undefined) throw new Error('there are two');
  const note = '```mcp\ntool: a\n```\n';
  expect(
    find(note, { servers: [{ ...off, enabled: false }, on], brokenBindings: [] })[0]?.server,
  ).toBe('on');
  expect(
    find(note, { servers: [{ ...off, enabled: false }], brokenBindings: [] })[0],
  ).toMatchObject({
    server: null,
    state: 'new',
    refusal: { code: 'server_unknown', line: 1 },
  });
});

test('a block in a comment, a formula, frontmatter, HTML or another fence is no request', () => {
  const request = '```weather\ntool: a\n```\n';
  for (const note of [
    `%%\n${request}%%\n`,
    `$$\n${request}$$\n`,
    `<!--\n${request}-->\n`,
    `---\na: |\n  ${request.replaceAll('\n', '\n  ')}\n---\n`,
    `\`\`\`\`\n${request}\`\`\`\`\n`,
    `    ${request}`,
  ]) {
    expect(find(note)).toEqual([]);
  }
});

test('blocks in lists, quotes and callouts are requests', () => {
  const note = '> [!note]\n> - ```weather\n>   tool: a\n>   city: x\n>   ```\n>   ^w1\n';
  expect(find(note)[0]).toMatchObject({ line: 2, endLine: 5, id: 'w1', tool: 'a', state: 'new' });
});

test('reports a mistake at its line', () => {
  expect(find('a\n\n```weather\ncity: x\n```\n')[0]).toMatchObject({
    state: 'invalid',
    problem: { code: 'block_invalid', line: 3 },
    req: null,
  });
  expect(find('a\n\n> ```weather\n> tool: a\n> b: [\n> ```\n')[0]?.problem).toMatchObject({
    code: 'yaml_invalid',
    message: expect.stringMatching(/^YAML parsing failed: line \d: /),
  });
  expect(find('```weather\ntool: a\n')[0]).toMatchObject({
    state: 'invalid',
    problem: {
      code: 'block_invalid',
      message: 'The block has no end. Close it with a line of ```',
    },
  });
});

test('a result that fits its request is fresh', () => {
  expect(find(ran())[0]).toMatchObject({
    state: 'fresh',
    result: { payload: 'x\ny', isEdited: false },
  });
});

test('marks a result stale when any part of its request changed', () => {
  expect(find(ran().replace('tool: a', 'tool: a\nb: 1'))[0]?.state).toBe('stale');
  expect(find(ran().replace('```weather', '```db'))[0]?.state).toBe('stale');
  expect(find(ran().replace('tool: a', 'tool: a # a'))[0]?.state).toBe('fresh');
  expect(find(ran().replace('```weather', '```weather timeout=5s'))[0]?.state).toBe('fresh');
});

test('a result that was changed by hand is edited', () => {
  expect(find(ran().replace('\nx\n', '\nX\n'))[0]?.state).toBe('edited');
  expect(find(ran().replace(/sum=\w+/, ''))[0]?.state).toBe('edited');
  expect(find(ran().replace(/\n```\n$/, '\n'))[0]?.state).toBe('edited');
});

test('an error below a request is failed, and says why', () => {
  expect(find(ran('tool: a', 'error'))[0]).toMatchObject({
    state: 'failed',
    result: { status: 'error', code: 'timeout' },
  });
});

test('a result belongs to the request directly above it, in the same container', () => {
  const result = '```mcp-result req=1 sum=2\n```\n';
  const request = '```weather\ntool: a\n```\n';
  const has = (note: string) => find(note).map(({ result: found }) => found !== null);
  expect(has(`${request}\n${result}`)).toEqual([true]);
  expect(has(`${request}${result}`)).toEqual([true]);
  expect(has(`${request}^id\n\n\n${result}`)).toEqual([true]);
  expect(has(`${request}\ntext\n\n${result}`)).toEqual([false]);
  expect(has(`${request}\n${request}\n${result}`)).toEqual([false, true]);
  expect(has(`${request}\n> ${result.replace('\n`', '\n> `')}`)).toEqual([false]);
  expect(has(`${request}\n- ${result.replace('\n`', '\n  `')}`)).toEqual([false]);
});

test('a block knows the headings above it, without those in quotes and results', () => {
  const live = '<!-- mcp-result req=1 sum=2 -->\n# no\n<!-- /mcp-result -->\n';
  const note = `# A\n## B\n${live}> # q\n\n\`\`\`weather\ntool: a\n\`\`\`\n## C\n`;
  expect(find(note)[0]?.section).toEqual(['A', 'B']);
});

test('a request in a live result is text', () => {
  const note = '<!-- mcp-result req=1 sum=2 -->\n```weather\ntool: a\n```\n<!-- /mcp-result -->\n';
  expect(find(note)).toEqual([]);
});

test('blocks that did not change are not read again', () => {
  const before = scan(`${ran()}\n\n\`\`\`db\ntool: b\n\`\`\`\n`);
  const known = findToolBlocks(before, context);
  const after = rescan(before, { range: [0, 0], text: 'new\n\n' });
  const now = findToolBlocks(after, context, known);
  expect(now).toEqual(findToolBlocks(after, context));
  expect(now[0]?.params).toBe(known[0]?.params);
});

const answered = (note: string, index: number, payload: string, type: 'json' | 'text' = 'json') => {
  const scanned = scan(note);
  const block = findToolBlocks(scanned, context)[index];
  const content = { status: 'success', type, payload } as const;
  const written = block && writeResult(scanned, block, content);
  return written?.kind === 'edit' ? applyEdits(note, [written.edit]) : note;
};

test('a block gets the answers that it refers to, and is stale when they change', () => {
  const above = '```weather\ntool: a\n```\n^w1\n';
  const below =
    '```db\ntool: b\ncity: "{{ blocks.w1.city }}"\ntext: "in {{ blocks.w1.city }}"\n```\n';
  const note = `${above}\n${below}`;
  expect(find(note)[1]).toMatchObject({
    state: 'new',
    references: ['w1'],
    req: null,
    unresolved: { message: 'The block ^w1 has no up-to-date answer (new). Run it first.', line: 8 },
  });
  const first = answered(note, 0, '{"city": {"name": "Oslo"}}');
  expect(find(first)[1]).toMatchObject({ state: 'new', unresolved: null });
  expect(plainValue(find(first)[1]?.params ?? emptyMap)).toEqual({
    city: { name: 'Oslo' },
    text: 'in {"name":"Oslo"}',
  });
  const second = answered(first, 1, 'done', 'text');
  expect(find(second).map(({ state }) => state)).toEqual(['fresh', 'fresh']);
  const known = find(second);
  const changed = answered(second, 0, '{"city": "Rome"}');
  for (const blocks of [find(changed), findToolBlocks(scan(changed), context, known)]) {
    expect(blocks.map(({ state }) => state)).toEqual(['fresh', 'stale']);
  }
  expect(find(answered(second, 0, '{"town": "Rome"}'))[1]).toMatchObject({
    state: 'stale',
    unresolved: {
      message: 'Parameter "city": There is no "blocks.w1.city". "blocks.w1" has town.',
    },
  });
  const text = answered(note, 0, 'Oslo', 'text').replaceAll('blocks.w1.city', 'blocks.w1');
  expect(plainValue(find(text)[1]?.params ?? emptyMap)).toMatchObject({ text: 'in Oslo' });
});

test.each([
  ['city: "{{ w1.city }}"', true],
  ['city: "{{ w1[\'city\'] }}"', true],
  ['city: "{{ w1 }}"', true],
  ['city: [{ a: "to {{ w1.city | upcase }}" }]', true],
  ['city: "hello {{ w1 }}"', false],
  ['city: "{{ w2.city }}"', false],
  ['city: "w1.city"', false],
])('a template that names a block without "blocks." is told: %s %s', (param, isMistake) => {
  const note = `\`\`\`weather\ntool: a\n\`\`\`\n^w1\n\n\`\`\`db\ntool: b\n${param}\n\`\`\`\n`;
  const message = '{{ w1 … }} is text. Write {{ blocks.w1 … }} for the answer of the block ^w1.';
  expect(find(note)[1]?.problem).toEqual(
    isMistake ? { code: 'block_invalid', message, line: 8 } : null,
  );
});

test('a problem of a reference is told at the line of its parameter', () => {
  const note = (body: string) =>
    `\`\`\`weather\ntool: a\n\`\`\`\n^w1\n\n> \`\`\`db\n${body}\n> \`\`\`\n`;
  const lineOf = (body: string, answer?: string) => {
    const text = note(body);
    const block = find(answer === undefined ? text : answered(text, 0, answer))[1];
    const { line = 0 } = block?.problem ?? block?.unresolved ?? {};
    return line - (block?.line ?? 0);
  };
  expect(lineOf('> tool: b\n> n: 1\n> x: "{{ blocks.w9 }}"')).toBe(3);
  expect(lineOf('> tool: b\n> x: "{{ blocks.w1 }}"')).toBe(2);
  expect(lineOf('> tool: b\n> x: |\n>   One\n>   {{ blocks.w1 }}')).toBe(4);
  const two = '> tool: b\n> x: "{{ blocks.w1.a }}"\n> y: "{{ blocks.w1.b }}"';
  expect(lineOf(two, '{"a": 1}')).toBe(3);
  expect(lineOf('> tool: b\n> x: |\n>   {{\n>   blocks.w9 }}')).toBe(0);
});

test('a reference to no block above is a mistake', () => {
  const note =
    '```weather\ntool: a\n```\n^w1\n\n```db\ntool: b\nx: "{{ blocks.w2.y }}"\n```\n^w2\n';
  expect(find(note)[1]).toMatchObject({
    state: 'invalid',
    problem: { code: 'block_invalid', message: 'No block above has the id ^w2.', line: 8 },
  });
  expect(find('```weather\ntool: a\nx: "{{ title }} {{ }"\n```\n')[0]).toMatchObject({
    state: 'new',
    problem: null,
    unresolved: null,
  });
});
