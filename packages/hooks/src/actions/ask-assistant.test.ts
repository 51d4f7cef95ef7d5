import { ModelServer, type Script } from '@errand/assistant/testing';
import {
  createMemorySecretStore,
  localServer,
  MemoryAttachments,
  MemoryNotes,
  memoryHost,
  textResult,
} from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext } from '../testing/action-fixture.ts';
import { agentRunner } from './agent-action.ts';
import { assistantsOf } from './ask-assistant.ts';

/** A scripted model, a server with two tools, and a note. */
async function fixture(...script: readonly Script[]) {
  const model = await ModelServer.open(...script);
  const memory = await memoryHost([localServer('weather')], {
    assistants: [model.assistant('anthropic')],
  });
  const { host, connector, log } = memory;
  const inputSchema = { type: 'object' };
  connector.behaviours.set('weather', {
    tools: [
      { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'write', inputSchema },
    ],
    call: async ({ tool }) => textResult(`${tool} done`),
  });
  const notes = new MemoryNotes({ 'Log.md': '# Log\n' });
  const models = {
    env: {},
    secrets: createMemorySecretStore({ key: 'sk-very-secret' }),
    mayUse: () => undefined,
  };
  const attachments = new MemoryAttachments();
  const calls: unknown[] = [];
  host.events.subscribe((event) => {
    if (event.kind !== 'call-finished') return;
    const { toolName, sessionId, source } = event.request;
    calls.push([toolName, sessionId, source, event.outcome.status]);
  });
  const { run } = agentRunner(assistantsOf({ models, host, notes, attachments, log }));
  return {
    model,
    notes,
    calls,
    run: (parameters: ActionOf<'agent'>['parameters'], fields = {}) =>
      run({ type: 'agent', parameters }, actionContext({ fields })),
    [Symbol.asyncDispose]: async () => {
      await memory[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

const callOf = (name: string) => ({ calls: [{ name, arguments: {} }] });

test('answers with the tools it may use, in the session of the chain, and asks nobody', async () => {
  await using it = await fixture(
    ({ toolNames }) => callOf(toolNames.find((name) => /read$/.test(name)) ?? ''),
    ({ toolNames }) => callOf(toolNames.find((name) => /write$/.test(name)) ?? ''),
    { text: ['It is ', 'warm.'] },
  );
  const outcome = await it.run(
    { assistant: 'claude', prompt: 'How warm is {{ city }}?' },
    { city: 'Oslo' },
  );
  expect(outcome).toMatchObject({ status: 'success', output: { text: 'It is warm.', rounds: 3 } });
  expect(it.calls).toEqual([
    ['read', 'hook:chain-1', 'ai-autonomous', 'success'],
    ['write', 'hook:chain-1', 'ai-autonomous', 'error'],
  ]);
  expect(JSON.stringify(it.model.requests[0]?.body)).toContain('How warm is Oslo?');
});

test('writes question and answer into the note, and nothing that an editor would run', async () => {
  await using it = await fixture({ text: ['Spam.'] }, { text: ['Spam again.'] });
  const action = { assistant: 'Claude', prompt: 'What is this?\n\n{{ body }}', note: 'Log.md' };
  const body = '```dataviewjs\napp.vault.delete()\n```\n\n```weather\ntool: write\n```';
  expect(await it.run(action, { body })).toMatchObject({
    status: 'success',
    output: { text: 'Spam.', note: 'Log.md' },
  });
  await it.run(action, { body: 'hello' });
  const text = it.notes.texts.get('Log.md');
  expect(text).toContain('#Claude : Spam.');
  expect(text).toContain('#NewChat');
  expect(text).toContain('app.vault.delete()');
  expect(text).not.toMatch(/^```(?:dataviewjs|weather)/m);
});

test('says which assistant or note is missing', async () => {
  await using it = await fixture();
  expect(await it.run({ assistant: 'Nobody', prompt: 'x' })).toMatchObject({
    status: 'failure',
    message: expect.stringContaining('There are: Claude'),
  });
  const lost = await it.run({ assistant: 'Claude', prompt: 'x', note: 'Gone.md' });
  expect(lost).toMatchObject({ status: 'failure', code: 'note_unreadable' });
});
