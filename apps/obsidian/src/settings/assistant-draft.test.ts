import { readSettings } from '@errand/host';
import { expect, test } from 'vitest';
import {
  type AssistantDraft,
  checkAssistant,
  draftOfAssistant,
  emptyAssistant,
  withAssistant,
} from './assistant-draft.ts';

const key = `\${secret:anthropic}`;
const claude = { name: 'Claude', provider: 'anthropic' as const, model: 'm', key };
const settings = { ...readSettings(undefined, 'x'), assistants: [claude] };
const local: AssistantDraft = {
  ...emptyAssistant,
  name: 'Local',
  provider: 'openai-compatible',
  model: 'qwen3',
  baseUrl: 'http://127.0.0.1:11434/v1',
  temperature: '0.5',
};

test('turns a valid form into an assistant, without empty fields', () => {
  expect(checkAssistant(local, settings).assistant).toEqual({
    name: 'Local',
    provider: 'openai-compatible',
    model: 'qwen3',
    baseUrl: 'http://127.0.0.1:11434/v1',
    temperature: 0.5,
  });
  expect(checkAssistant(draftOfAssistant(claude), settings, 'Claude').assistant).toEqual(claude);
});

test.each([
  ['a taken name', { name: 'claude' }, 'name'],
  ['a word that opens a question', { name: 'User' }, 'name'],
  ['no model', { model: '' }, 'model'],
  ['no address', { baseUrl: '' }, 'baseUrl'],
  ['half an address', { baseUrl: 'here' }, 'baseUrl'],
  ['a key in the clear', { key: 'sk-123' }, 'key'],
  ['no key', { provider: 'openai' as const, baseUrl: '' }, 'key'],
  ['a temperature out of range', { temperature: '9' }, 'temperature'],
  ['a temperature in words', { temperature: 'warm' }, 'temperature'],
])('says at its field what is wrong: %s', (_, change, field) => {
  const { mistakes = {} } = checkAssistant({ ...local, ...change }, settings);
  expect(Object.keys(mistakes)).toEqual([field]);
  expect(Object.values(mistakes)[0]).not.toMatch(/errand secrets|sk-123/);
});

test('keeps the position of a changed assistant', () => {
  const two = withAssistant(settings, { ...claude, name: 'Other' });
  const renamed = withAssistant(two, { ...claude, name: 'First' }, 'Claude');
  expect(renamed.assistants.map(({ name }) => name)).toEqual(['First', 'Other']);
});

test('keeps a typed key out of the entry', () => {
  const draft = { ...local, provider: 'openai' as const, baseUrl: '', newKey: 'sk-123' };
  const { assistant, mistakes } = checkAssistant(draft, settings);
  expect(mistakes).toBeUndefined();
  expect(JSON.stringify(assistant)).not.toContain('sk-123');
});
