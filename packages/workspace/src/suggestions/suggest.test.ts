import { applyEdits, requestAt, scan } from '@errand/document';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';
import type { Suggestion } from './suggestion.ts';

const forecast = {
  name: 'forecast',
  description: 'Tells the weather.\nAt length.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      days: { type: 'integer', default: 3 },
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['C', 'F', 'a: b'] },
      exact: { type: 'boolean' },
    },
    required: ['city', 'unit'],
  },
};
const hammer = {
  name: 'hammer',
  inputSchema: {
    type: 'object' as const,
    properties: { tool: { type: 'string' } },
    required: ['tool'],
  },
};
const servers = [localServer('weather'), localServer('db'), localServer('off', { enabled: false })];

const known = { servers, brokenBindings: [], documentPath: 'Trip.md' };

function placeIn(marked: string) {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const note = scan(text);
  const cursor = requestAt(note, at);
  const tools = (id: string) => (id === servers[0]?.id ? [forecast, hammer] : []);
  const found = cursor === null ? [] : suggest(note, cursor, { ...known, tools });
  return { text, found };
}

function written(text: string, { choice }: Suggestion): string {
  if (choice.kind !== 'write') return choice.kind;
  const after = applyEdits(text, choice.edits);
  const [from, to] = choice.selection;
  return `${after.slice(0, from)}[${after.slice(from, to)}]${after.slice(to)}`;
}

const bound = '---\nmcp:\n  sections:\n    - heading: A\n      server: db\n---\n# A\n';
const broken = bound.replace('db', 'gone');

test.each([
  ['```|', ['Code block', 'weather', 'db', 'off', 'mcp']],
  ['> - ~~~|', ['Code block', 'weather', 'db', 'off', 'mcp']],
  ['text ```|', []],
  ['```O|', ['off']],
  ['```b|', []],
  ['```D|', ['db']],
  [`${bound}\`\`\`|`, ['Code block', 'db', 'mcp']],
  [`${broken}\`\`\`|`, ['No server may be called here']],
  ['```weather\n|\n```', ['tool']],
  ['```weather\ntool: |\n```', ['forecast', 'hammer']],
  ['```weather\ntool:|\n```', ['forecast', 'hammer']],
  ['```WEATHER\ntool: cast|\n```', ['forecast']],
  ['```mcp\ntool: |\n```', ['forecast', 'hammer']],
  ['```db\ntool: |\n```', ['Start the server to see its tools']],
  ['```db\ntool: x|\n```', []],
  ['```off\ntool: |\n```', ['Server off is disabled']],
  [`${bound}\`\`\`weather\ntool: |\n\`\`\``, ['This section is bound to db']],
  [`${broken}\`\`\`js\na|\n\`\`\``, []],
  ['```weather\ntool: forecast\n|\n```', ['city', 'unit', 'days', 'exact']],
  ['```weather\ntool: forecast\ncity: x\nunit: C\n|\n```', []],
  ['```weather\ntool: forecast\ncity: x\nunit: C\nd|\n```', ['days']],
  ['```weather tool=forecast\nci|\n```', ['city']],
  ['```weather\ntool: forecast\nunit: |\n```', ['C', 'F', 'a: b']],
  ['```weather\ntool: forecast\nunit: C|\n```', []],
  ['```weather\ntool: forecast\nexact: |\n```', ['true', 'false']],
  ['```weather\ntool: forecast\ndays: |\n```', ['3']],
  ['```weather\ntool: forecast\ncity: |\n```', []],
  ['```weather tool=forecast\nci|\n```', ['city']],
  ['```weather\ntool: forecast\n```\n|', []],
  ['```weather\ntool: unheard\n|\n```', []],
  ['```js\ncon|\n```', []],
])('at %j it suggests %j', (marked, labels) => {
  expect(placeIn(marked).found.map(({ label }) => label)).toEqual(labels);
});

test.each([
  ['```we|', '```weather\ntool: []\n```'],
  ['> ```we|', '> ```weather\n> tool: []\n> ```'],
  ['- x\n  ~~~we|', '- x\n  ~~~weather\n  tool: []\n  ~~~'],
  ['```|', '```\n[]'],
  ['> ```|', '> ```\n> []'],
  ['```|```', '```\n[]\n```'],
  ['```we|```', '```weather\ntool: []\n```'],
  ['```we|\ntool: x\n```', '```weather[]\ntool: x\n```'],
  [
    '```weather\ntool: f|\n```',
    '```weather\ntool: forecast\ncity: [] # text: Where\nunit: C # one of: C, F, a: b\n```',
  ],
  [
    '> ```weather\n> tool:|\n> city: x\n> ```',
    '> ```weather\n> tool: forecast\n> unit: [C] # one of: C, F, a: b\n> city: x\n> ```',
  ],
  ['```weather\ntool: ha|\n```', '```weather tool=hammer\ntool: [] # text\n```'],
  ['```weather\ntool: forecast\nun|\n```', '```weather\ntool: forecast\nunit: [C]\n```'],
  ['```weather\ntool: forecast\nunit: a|\n```', '```weather\ntool: forecast\nunit: "a: b"[]\n```'],
  [
    '```weather\ntool: forecast\nunit: |C # x\n```',
    '```weather\ntool: forecast\nunit: C[] # x\n```',
  ],
])('at %j the first choice writes %j', (marked, after) => {
  const { text, found } = placeIn(marked);
  expect(found[0] && written(text, found[0])).toBe(after);
});

test('says what a choice is', () => {
  const row = (marked: string) => placeIn(marked).found[0];
  expect(row('```w|')).toMatchObject({ label: 'weather', detail: '2 tools' });
  expect(row('```weather\ntool: |\n```')).toMatchObject({ description: 'Tells the weather.' });
  expect(row('```weather\ntool: forecast\n|\n```')).toMatchObject({
    detail: 'text, required',
    description: 'Where',
  });
});

test('reads a schema once, however many keys are pressed', () => {
  let readings = 0;
  const value = (number: number) => ({
    toString: () => `${++readings}`,
    toJSON: () => {
      readings += 1;
      return { number };
    },
  });
  const choices = Array.from({ length: 1_000 }, (_, number) => value(number));
  const properties = { kind: { enum: choices }, other: {} };
  const inputSchema = { type: 'object', properties, required: ['kind', 'other'] };
  const press = (line: string) => {
    const text = `\`\`\`weather\ntool: pick\n${line}`;
    const note = scan(`${text}\n\`\`\`\n`);
    const cursor = requestAt(note, text.length);
    const tools = () => [{ name: 'pick', inputSchema }];
    return cursor && suggest(note, cursor, { ...known, tools });
  };
  expect(press('ki')?.map(({ label }) => label)).toEqual(['kind']);
  expect(press('kind: {')).toHaveLength(1_000);
  const once = readings;
  for (const line of ['k', 'kin', 'kind: {"nu', 'kind: {"number":99', 'oth']) press(line);
  expect(readings).toBe(once);
});
