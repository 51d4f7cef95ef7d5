import { openTrust } from '@errand/host';
import { createMemoryTrustStore, localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { QuestionQueue } from './question-queue.ts';
import { TrustQuestions } from './trust-questions.ts';

const [a, b] = [localServer('a'), localServer('b')];

interface Asked {
  readonly names: readonly string[];
  readonly say: (word: boolean) => void;
}

/** A person who answers when told to. */
async function person() {
  const trust = await openTrust(createMemoryTrustStore());
  const asked: Asked[] = [];
  const questions = new TrustQuestions(trust, new QuestionQueue(), (shown) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked.push({ names: shown.map(({ server }) => server.name), say: resolve });
    return promise;
  });
  return { ensure: questions.ensure.bind(questions), asked };
}

test('shares one question and its answer between two calls to the same server', async () => {
  for (const word of [true, false]) {
    const { ensure, asked } = await person();
    const both = Promise.all([ensure([a], 'Run'), ensure([a], 'Run')]);
    await expect.poll(() => asked).toHaveLength(1);
    asked[0]?.say(word);
    expect(await both).toEqual([word, word]);
    expect(asked).toHaveLength(1);
  }
});

test('asks afterwards about servers that were not in the first question', async () => {
  const { ensure, asked } = await person();
  const first = ensure([a], 'Run');
  const second = ensure([a, b], 'Run');
  const third = ensure([b], 'Run');
  await expect.poll(() => asked).toHaveLength(1);
  asked[0]?.say(true);
  expect(await first).toBe(true);
  await expect.poll(() => asked.map(({ names }) => names)).toEqual([['a'], ['b']]);
  asked[1]?.say(false);
  expect(await Promise.all([second, third])).toEqual([false, false]);
});

test('does not apply a denial to other servers, and allows to change it', async () => {
  const { ensure, asked } = await person();
  const first = ensure([a], 'Run');
  const second = ensure([b], 'Run');
  await expect.poll(() => asked).toHaveLength(1);
  asked[0]?.say(false);
  expect(await first).toBe(false);
  await expect.poll(() => asked).toHaveLength(2);
  asked[1]?.say(true);
  expect(await second).toBe(true);
  const again = ensure([a, b], 'Run');
  await expect.poll(() => asked[2]?.names).toEqual(['a']);
  asked[2]?.say(true);
  expect(await again).toBe(true);
  expect(await ensure([a, b], 'Run')).toBe(true);
});
