import { expect, test } from 'vitest';
import { draftOfForm, emptyDraft, formOfDraft } from './server-draft.ts';
import type { ServerForm } from './server-form.ts';

test.each<[string, ServerForm]>([
  [
    'a command',
    {
      ...{ kind: 'command', name: 'a', approval: 'deny', timeout: 5_000 },
      ...{ command: 'npx x', cwd: 'b', env: { KEY: '1' } },
    },
  ],
  [
    'an image',
    {
      ...{ kind: 'image', name: 'a', approval: 'ask', timeout: null, image: 'x', command: 'run' },
      ...{ transport: 'http', port: 80, outsidePort: 8080, path: '/mcp', memory: '1g', env: {} },
    },
  ],
  [
    'an address',
    {
      ...{ kind: 'url', name: 'a', approval: 'allow', timeout: null },
      ...{ url: 'https://host.example/', transport: 'sse', headers: { A: 'b' } },
    },
  ],
])('the form of %s is the same after being shown', (_, form) => {
  expect(formOfDraft(draftOfForm(form))).toEqual({ form });
});

test('what cannot be sent is said at its field', () => {
  const draft = { ...emptyDraft, kind: 'image' as const, port: 'x', timeout: '900' };
  const env = [
    { name: '', value: 'lost' },
    { name: '', value: '' },
  ];
  expect(formOfDraft({ ...draft, env })).toEqual({
    mistakes: {
      port: 'Write a port from 1 to 65535.',
      timeout: 'Write seconds from 1 to 300.',
      env: 'A value has no name. Name it, or remove the row.',
    },
  });
  const twice = [
    { name: 'A', value: '1' },
    { name: 'A ', value: '2' },
  ];
  expect(formOfDraft({ ...emptyDraft, env: twice })).toMatchObject({
    mistakes: { env: expect.stringContaining('"A" is there twice') },
  });
});

test('what another way needs is not sent', () => {
  const typed = { ...emptyDraft, name: 'a', command: 'x', port: 'wrong', url: 'y' };
  expect(formOfDraft(typed)).toEqual({
    form: expect.not.objectContaining({ url: 'y', port: 'wrong' }),
  });
});
