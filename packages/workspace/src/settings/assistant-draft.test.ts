import { openTrust, readSettings } from '@errand/host';
import { createMemoryTrustStore, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import {
  type AssistantDraft,
  checkAssistant,
  draftOfAssistant,
  emptyAssistant,
  storeAssistant,
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
  const { refused } = checkAssistant({ ...local, ...change }, settings);
  expect(refused?.path).toBe(field);
  expect(refused?.message).not.toMatch(/errand secrets|sk-123/);
});

async function openFixture() {
  const trust = await openTrust(createMemoryTrustStore());
  const fixture = await memoryHost([], {}, { trust });
  const kept = new Map<string, string>();
  const secrets = {
    names: async () => [...kept.keys()],
    set: async (name: string, value: string | undefined) => void kept.set(name, value ?? ''),
  };
  return Object.assign(fixture, { trust, secrets, kept });
}

test('stores what a person made here with its key as a secret, and agrees to it', async () => {
  await using fixture = await openFixture();
  fixture.kept.set('claude', 'of another');
  const draft = { ...emptyAssistant, name: 'Claude', model: 'm', newKey: ' sk-123 ' };
  const { assistant } = await storeAssistant(fixture, draft);
  expect(assistant).toEqual({ ...claude, key: `\${secret:claude-2}` });
  expect(fixture.host.servers.settings.assistants).toEqual([assistant]);
  expect(fixture.settings.text()).not.toContain('sk-123');
  expect(fixture.kept.get('claude-2')).toBe('sk-123');
  expect(fixture.trust.verdictOfAssistant(assistant ?? claude)).toBe('trusted');
});

test('keeps the position of a changed assistant, and stores nothing that is wrong', async () => {
  await using fixture = await openFixture();
  await storeAssistant(fixture, draftOfAssistant(claude));
  await storeAssistant(fixture, local);
  await storeAssistant(fixture, { ...draftOfAssistant(claude), name: 'First' }, 'Claude');
  const { refused } = await storeAssistant(fixture, { ...local, name: 'first', newKey: 'sk-123' });
  expect(refused?.path).toBe('name');
  expect(fixture.host.servers.settings.assistants.map(({ name }) => name)).toEqual([
    'First',
    'Local',
  ]);
  expect(fixture.kept.size).toBe(0);
});
