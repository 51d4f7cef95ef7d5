import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';

function read(assistants: unknown) {
  return readSettings(JSON.stringify({ version: 1, assistants }), 'settings.json');
}

const claude = {
  name: 'Claude',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  key: `\${secret:anthropic}`,
};
const local = {
  name: 'Local',
  provider: 'openai-compatible',
  model: 'qwen3',
  baseUrl: 'http://127.0.0.1:11434/v1',
  temperature: 0.2,
};

test('assistants are read in their order', () => {
  const { assistants, problems } = read([claude, local]);
  expect(assistants).toEqual([claude, local]);
  expect(problems).toEqual([]);
});

test('leaves out only the broken assistant', () => {
  const { assistants, problems } = read([{ ...claude, provider: 'skynet' }, local]);
  expect(assistants).toEqual([local]);
  expect(problems).toMatchObject([{ level: 'error', path: 'assistants[0].provider' }]);
});

test.each([
  ['a key in plain text', { ...claude, key: 'sk-12345' }, /a key itself must not stand/],
  ['a name with a space', { ...claude, name: 'My Claude' }, /begins with a letter/],
  ['a name that opens a question', { ...claude, name: 'User' }, /begins with a letter/],
  ['a model by URL without a URL', { ...local, baseUrl: undefined }, /"baseUrl"/],
  ['a provider without a key', { ...claude, key: undefined }, /needs a key/],
  ['a URL of another kind', { ...local, baseUrl: 'file:///etc/passwd' }, /Write a URL/],
  ['a URL with a query', { ...local, baseUrl: 'http://127.0.0.1:1/quit?' }, /without "\?"/],
  ['a URL with a fragment', { ...local, baseUrl: 'http://127.0.0.1:1/quit#' }, /without "\?"/],
  ['a URL with a name', { ...local, baseUrl: 'http://me:pw@127.0.0.1:1/v1' }, /without "\?"/],
  ['a temperature of boiling water', { ...claude, temperature: 100 }, /from 0 to 2/],
])('%s is refused with what to write', (_what, entry, message) => {
  const { assistants, problems } = read([entry]);
  expect(assistants).toEqual([]);
  expect(problems[0]?.message).toMatch(message);
  expect(JSON.stringify(problems)).not.toContain('sk-12345');
});

test('a second assistant of the same name, and a list that is none, are reported', () => {
  expect(read([claude, { ...local, name: 'claude' }]).problems[0]?.path).toBe('assistants[1].name');
  expect(read({ claude }).problems[0]?.path).toBe('assistants');
});

test('a key that no schema knows is kept and reported, and blamed on no server', () => {
  const [problem] = read([{ ...claude, modell: 'x' }]).problems;
  expect(problem).toMatchObject({ level: 'warning', path: 'assistants[0].modell' });
  expect(problem).not.toHaveProperty('server');
});
