import { expect, test } from 'vitest';
import { plainValue } from '../params/source-value.ts';
import { parseRequest } from './parse-request.ts';

function parse(body: string, info = 'weather') {
  const { tool, params, problem } = parseRequest(info, body, 10);
  return problem ?? { tool, params: plainValue(params) };
}

test('the body is a mapping: the tool, and every other key a parameter', () => {
  expect(parse('tool: get_forecast\ncity: London\nwhen: {from: 1}')).toEqual({
    tool: 'get_forecast',
    params: { city: 'London', when: { from: 1 } },
  });
  expect(parse('tool: 007')).toEqual({ tool: '007', params: {} });
});

test('a tool named on the info line frees the parameter called tool', () => {
  expect(parse('tool: hammer', 'weather tool=lend')).toEqual({
    tool: 'lend',
    params: { tool: 'hammer' },
  });
  expect(parse('', 'weather tool=list')).toEqual({ tool: 'list', params: {} });
});

test('bad YAML is reported on its line of the note', () => {
  const tab = parse('tool: x\n\tcity: y');
  expect(tab).toMatchObject({ code: 'yaml_invalid', line: 12 });
  expect(tab).toMatchObject({ message: expect.stringMatching(/^YAML parsing failed: line 12: /) });
  expect(parse('tool: x\ncity: [a')).toMatchObject({ code: 'yaml_invalid' });
  expect(parse('tool: x\ncity: a\ncity: b')).toMatchObject({ code: 'yaml_invalid', line: 13 });
  expect(parse('tool: x\n---\ntool: y')).toMatchObject({ code: 'yaml_invalid' });
});

test.each([
  ['', 'The block names no tool. Add a line such as: tool: NAME'],
  ['city: London', 'The block names no tool. Add a line such as: tool: NAME'],
  ['tool:', '"tool" must be the name of a tool, for example: tool: get_forecast'],
  ['tool: [a]', '"tool" must be the name of a tool, for example: tool: get_forecast'],
  ['- tool', 'The block must be lines of the form "name: value", one of them "tool: NAME".'],
  ['just text', 'The block must be lines of the form "name: value", one of them "tool: NAME".'],
  ['tool: x\n? [a]\n: b', 'Parameter names must be plain text.'],
  ['tool: *me', 'A value that starts with * must be quoted: "*me".'],
])('a body that is no request says so: %j', (body, message) => {
  expect(parse(body)).toMatchObject({ code: 'block_invalid', message });
});

const unsaid = 'has no value. Write one, or "" for an empty text, or null.';

test.each([
  ['query: #tag', `"query" has no value: # begins a comment. Put the value in quotes: "#tag"`, 12],
  ['a: 1\npath:  # text', `"path" ${unsaid}`, 13],
  ['path:', `"path" ${unsaid}`, 12],
  ['a: 1\nfilter:\n  from:', `"from" ${unsaid}`, 14],
  ['when: {from, to: 1}', `"from" ${unsaid}`, 12],
  ['tags:\n  - a\n  -', `An item of a list ${unsaid}`, 14],
  ['a: {{ blocks.w1.city }}', 'A template must be quoted: "{{ blocks.w1.city }}".', 12],
  ['a: 1\n? [a]\n: b', 'Parameter names must be plain text.', 13],
  [`a: ${'['.repeat(150)}${']'.repeat(150)}`, /^The values are nested more than 100 levels/, 11],
])('a value that YAML reads as nothing is a mistake on its line: %j', (body, message, line) => {
  expect(parse(`tool: x\n${body}`)).toMatchObject({
    code: 'block_invalid',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    line,
  });
});

test('null and empty text are values when they are written', () => {
  expect(parse('tool: x\na: null\nb: ""\nc: ~\nd: \'\'\ne: [null]\nf: "#tag"')).toEqual({
    tool: 'x',
    params: { a: null, b: '', c: null, d: '', e: [null], f: '#tag' },
  });
});

test('YAML that is nested too deep to be parsed says so', () => {
  expect(parse(`tool: x\na: ${'['.repeat(5000)}${']'.repeat(5000)}`)).toMatchObject({
    message: 'YAML parsing failed: line 12: The values are nested too deep. Write a flatter value.',
  });
});

test('refuses a block over 64 KiB before parsing it', () => {
  expect(parse(`tool: x\na: ${'ä'.repeat(32 * 1024)}`)).toMatchObject({
    code: 'block_invalid',
    line: 10,
  });
  expect(parse(`tool: x\na: ${'a'.repeat(60 * 1024)}`)).toMatchObject({ tool: 'x' });
});

test('aliases are followed, and cannot fill the memory', () => {
  expect(parse('tool: x\na: &n {b: 1}\nc: *n')).toEqual({
    tool: 'x',
    params: { a: { b: 1 }, c: { b: 1 } },
  });
  expect(parse('tool: x\na: &n [*n]')).toMatchObject({ code: 'block_invalid' });
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*n${level - 1}`));
    return `k${level}: &n${level} [${items.join(', ')}]`;
  });
  expect(parse(`tool: x\n${levels.join('\n')}`)).toMatchObject({ code: 'block_invalid' });
});

test('reads options from the info line', () => {
  const { options } = parseRequest(
    'weather timeout=1.5m  display=inline\tas=markdown live=yes tool=t',
    '',
    1,
  );
  expect(options).toEqual({
    timeout: 90_000,
    display: 'inline',
    as: 'markdown',
    live: true,
    tool: 't',
  });
  expect(parseRequest('weather timeout=2500ms tool=t', '', 1).options).toEqual({
    timeout: 2500,
    tool: 't',
  });
});

test.each([
  ['colour=red', /Unknown option "colour=red"\. Options are: /],
  ['constructor=1', /Unknown option/],
  ['{.class}', /Unknown option/],
  ['timeout=60', /timeout=60 is not a time between 1s and 5m/],
  ['timeout=10m', /between 1s and 5m/],
  ['timeout=999ms', /between 1s and 5m/],
  ['display=big', /Write one of: inline, block, collapsed/],
  ['as=html', /Write one of: text, json, markdown, callout/],
  ['live=true', /Write live=yes, or leave it out/],
  ['tool=', /names no tool/],
  ['as=text as=json', /given twice/],
])('a wrong option is an error, not ignored: %s', (option, message) => {
  const { problem } = parseRequest(`weather ${option}`, 'tool: x', 7);
  expect(problem).toMatchObject({
    code: 'block_invalid',
    line: 7,
    message: expect.stringMatching(message),
  });
});
