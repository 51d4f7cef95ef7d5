import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelServer } from '@errand/assistant/testing';
import { expect, test } from 'vitest';
import type { AssistantState, SecretList } from '../../contract.ts';
import { ask, ended } from '../testing/ask-assistant.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('sets up a model where there are no settings, with its key as a secret', async () => {
  await using model = await ModelServer.open({ text: ['ready'] }, { text: ['Yes.'] });
  model.lists(['small', 'large']);
  await using workbench = await openTestWorkbench();
  await rm(join(workbench.folder, '.errand'), { recursive: true });
  const page = await workbench.open();
  using events = await page.follow();
  const draft = { name: 'Own', provider: 'openai-compatible', baseUrl: model.url, newKey: 'sk-1' };
  expect(await page.send('POST', '/assistant/models', draft)).toEqual({
    models: ['large', 'small'],
  });
  const chosen = { ...draft, model: 'large' };
  expect(await page.send('POST', '/assistant/test', chosen)).toEqual({
    durationMs: expect.any(Number),
  });
  // Trying stores nothing.
  expect(await page.get<SecretList>('/secrets')).toMatchObject({ names: [] });
  await page.send('POST', '/assistant/entry', { draft: chosen });
  const settings = await workbench.readNote('.errand/settings.json');
  expect(JSON.parse(settings).assistants).toEqual([
    {
      name: 'Own',
      provider: 'openai-compatible',
      model: 'large',
      baseUrl: model.url,
      key: `\${secret:own}`,
    },
  ]);
  expect(settings).not.toContain('sk-1');
  expect((await page.get<AssistantState>('/assistant')).assistants).toMatchObject([
    { name: 'Own', verdict: 'trusted' },
  ]);
  const { turn } = await ask(page, 'Are you there?');
  expect(await ended(events, turn)).toMatchObject({ state: 'answered' });
  expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-1');
  const stored = await page.get<{ draft: object }>('/assistant/entry/Own');
  expect(stored.draft).toMatchObject({ key: `\${secret:own}`, newKey: '' });
  const renamed = { draft: { ...stored.draft, name: 'Other' }, before: 'Own' };
  expect(await page.send('POST', '/assistant/entry', renamed)).toMatchObject({
    assistants: [{ name: 'Other', verdict: 'trusted' }],
  });
  expect(await page.send('DELETE', '/assistant/entry/Other')).toEqual({
    assistants: [],
  });
});

test('says at its field why a model cannot be used', async () => {
  await using model = await ModelServer.open({ status: 404, message: 'no such model' });
  model.lists({ status: 401, message: 'wrong key' });
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  const draft = { name: 'Own', provider: 'openai-compatible', baseUrl: model.url };
  const chosen = { ...draft, model: 'm' };
  const fields = async (path: string, body: object) =>
    Object.keys((await page.fails('POST', `/assistant${path}`, body)).fields ?? {});
  expect(await fields('/models', draft)).toEqual(['key']);
  expect(await fields('/models', { provider: 'openai' })).toEqual(['key']);
  expect(await fields('/models', { ...draft, baseUrl: 'http://127.0.0.1:9/v1' })).toEqual([
    'baseUrl',
  ]);
  expect(await fields('/test', draft)).toEqual(['model']);
  expect(await fields('/test', chosen)).toEqual(['model']);
  expect(await fields('/entry', { draft: { ...chosen, name: 'user' } })).toEqual(['name']);
  expect(await page.fails('GET', '/assistant/entry/Own')).toMatchObject({ status: 404 });
});
