import type { AssistantConfig } from '@errand/host';
import { localServer, textResult } from '@errand/host/testing';
import { describe, expect, test } from 'vitest';
import type { Script } from '../testing/model-server.ts';
import { call, lastSent, openTurnFixture, readTool } from '../testing/turn-fixture.ts';

const providers: readonly AssistantConfig['provider'][] = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
];

const forecast = (city: string) => call('weather__forecast', { city });

describe.each(providers)('%s', (provider) => {
  const open = (...script: readonly Script[]) =>
    openTurnFixture({
      provider,
      script,
      servers: [localServer('weather')],
      behaviours: {
        weather: {
          tools: [readTool('forecast')],
          call: async ({ arguments: { city } }) => {
            if (city === 'Atlantis') {
              return { ...textResult('There is no such city.'), isError: true };
            }
            return textResult(`12 degrees in ${String(city)}`);
          },
        },
      },
    });

  test('streams text', async () => {
    await using fixture = await open({
      text: ['It is ', 'warm.'],
      tokens: { input: 21, output: 4 },
    });
    expect(await fixture.ask()).toMatchObject({
      state: 'answered',
      message: null,
      text: 'It is warm.',
      rounds: 1,
      tokens: { input: 21, output: 4 },
    });
    const texts = fixture.events.flatMap((event) =>
      event.kind === 'text-added' ? event.text : [],
    );
    expect(texts).toEqual(['It is ', 'warm.']);
    expect(fixture.model.requests[0]?.toolNames).toEqual(['weather__forecast']);
    expect(lastSent(fixture)).toContain('How warm is it?');
  });

  test('makes a call and gives its answer to the model', async () => {
    await using fixture = await open(
      { text: ['I look.'], calls: [forecast('London')] },
      { text: ['12 degrees.'] },
    );
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'answered', text: 'I look.12 degrees.', calls: 1 });
    expect(lastSent(fixture)).toContain('12 degrees in London');
  });

  test('makes parallel calls, over several rounds', async () => {
    await using fixture = await open(
      { calls: [forecast('London'), forecast('Paris')] },
      { calls: [forecast('Rome')] },
      { text: ['All warm.'] },
    );
    expect(await fixture.ask()).toMatchObject({ state: 'answered', rounds: 3, calls: 3 });
    for (const city of ['London', 'Paris', 'Rome'])
      expect(lastSent(fixture)).toContain(`in ${city}`);
  });

  test('tells the model of a tool that fails, and of one that does not exist', async () => {
    await using fixture = await open(
      {
        calls: [forecast('Atlantis'), { name: 'weather__tides', arguments: {} }],
      },
      { text: ['No luck.'] },
    );
    expect(await fixture.ask()).toMatchObject({ state: 'answered', text: 'No luck.' });
    expect(lastSent(fixture)).toContain('There is no such city.');
    expect(lastSent(fixture)).toContain(
      'Tool not found: weather__tides. There are: weather__forecast.',
    );
  });

  test('tells the model what is wrong with its arguments', async () => {
    const broken: Script =
      provider === 'google'
        ? { stop: 'malformed-call' }
        : { calls: [{ name: 'weather__forecast', arguments: '{"city": "Lond' }] };
    await using fixture = await open(
      broken,
      { calls: [{ name: 'weather__forecast', arguments: { city: 7, town: 'x' } }] },
      { text: ['Sorry.'] },
    );
    expect(await fixture.ask()).toMatchObject({ state: 'answered', text: 'Sorry.' });
    const [, second] = fixture.model.requests;
    expect(JSON.stringify(second?.body)).toMatch(/cannot be read|could not be read/);
    expect(lastSent(fixture)).toMatch(/\\"?city\\"?.*string/);
    expect(fixture.outcomes().every(({ status }) => status === 'error')).toBe(true);
  });

  test('says that the model refused', async () => {
    await using fixture = await open({ text: ['I will not.'], stop: 'refusal' });
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'refused', message: expect.stringContaining('refused') });
  });

  test('says that the answer reached the maximum length', async () => {
    await using fixture = await open({ text: ['It is a long'], stop: 'length' });
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'length', text: 'It is a long' });
    expect(end.message).toContain('Ask it to continue');
  });

  test('waits as long as a busy provider asks for', async () => {
    const busy = { status: 429, message: 'Slow down.', headers: { 'retry-after': '0' } };
    await using fixture = await open(busy, busy, { text: ['Here.'] });
    expect(await fixture.ask()).toMatchObject({ state: 'answered', text: 'Here.' });
    expect(fixture.events).toContainEqual({
      kind: 'notice-given',
      message: `${provider} is busy; asking again in 1 s.`,
    });
    fixture.model.always(busy);
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'failed', code: 'model_busy' });
    expect(end.message).toContain('Slow down.');
    expect(fixture.model.requests).toHaveLength(6);
  });

  test('does not wait for an hour', async () => {
    const busy = { status: 429, message: 'Slow down.', headers: { 'retry-after': '3600' } };
    await using fixture = await open(busy);
    const end = await fixture.ask();
    expect(end).toMatchObject({ code: 'model_busy', message: expect.stringContaining('3600 s') });
    expect(fixture.model.requests).toHaveLength(1);
  });

  test('says that the provider failed', async () => {
    await using fixture = await open();
    fixture.model.always({ status: 500, message: 'Oops.', headers: { 'retry-after': '0' } });
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'failed', code: 'model_failed' });
    expect(end.message).toMatch(/failed with status 500.*Oops\./);
  });

  test.each(['lost', 'ended'] as const)('says that the answer was cut: %s', async (cut) => {
    await using fixture = await open({ text: ['It is '], cut });
    const end = await fixture.ask();
    expect(end).toMatchObject({ state: 'failed', code: 'answer_cut', text: 'It is ' });
    expect(end.message).toContain('Ask again to continue');
  });

  test('says whose key was not accepted, and never shows it', async () => {
    await using fixture = await open({ status: 401, message: 'Bad key sk-very-secret' });
    const end = await fixture.ask();
    const advice = [{ kind: 'set-secret', name: 'key' }];
    expect(end).toMatchObject({ state: 'failed', code: 'key_refused', advice });
    expect(JSON.stringify([end, fixture.memory.log.records])).not.toContain('sk-very-secret');
    expect(JSON.stringify(fixture.model.requests[0]?.headers)).toContain('sk-very-secret');
  });

  test('leaves out a tool whose schema the provider does not take', async () => {
    await using fixture = await open(
      ({ toolNames }) => ({
        status: 400,
        message: `Invalid schema for function '${toolNames[0]}'`,
      }),
      { text: ['Fine.'] },
    );
    expect(await fixture.ask()).toMatchObject({ state: 'answered', text: 'Fine.' });
    expect(fixture.model.requests.map(({ toolNames }) => toolNames.length)).toEqual([1, 0]);
    expect(fixture.events).toContainEqual({
      kind: 'notice-given',
      message: `${provider} does not take the schema of weather__forecast; that tool is left out.`,
    });
  });

  test('sends earlier turns with their calls', async () => {
    await using fixture = await open({ text: ['Yes.'] });
    const made = {
      kind: 'call',
      server: 'weather',
      status: 'success',
      answer: '12 degrees',
    } as const;
    await fixture.ask({
      history: [
        { role: 'user', text: 'How warm?' },
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: 'I look.' },
            { ...made, tool: 'forecast', parameters: { city: 'London' } },
            { ...made, tool: 'gone', parameters: {}, answer: 'an old answer' },
            { kind: 'text', text: '12.' },
          ],
        },
        { role: 'user', text: 'Sure?' },
      ],
    });
    for (const words of ['How warm?', 'I look.', '12 degrees', 'an old answer', 'Sure?']) {
      expect(lastSent(fixture)).toContain(words);
    }
    expect(lastSent(fixture)).toContain('London');
  });
});

test('reports at once that the provider cannot be reached', async () => {
  await using fixture = await openTurnFixture({
    provider: 'openai-compatible',
    assistant: { baseUrl: 'http://127.0.0.1:1/v1' },
  });
  const end = await fixture.ask();
  expect(end).toMatchObject({ state: 'failed', code: 'model_unreachable' });
  expect(end.message).toContain('"baseUrl"');
});
