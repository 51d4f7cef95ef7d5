import { expect, test } from 'vitest';
import { NoteAnswers } from './note-answers.ts';

const untilStopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

test('refuses a second answer in a note, and not in another', async () => {
  const answers = new NoteAnswers<object>();
  const [one, two] = [{}, {}];
  const first = answers.run(one, untilStopped);
  await expect(answers.run(one, async () => {})).rejects.toThrow('Stop it, or wait for it');
  await answers.run(two, async () => {});
  expect([answers.stop(one), answers.stop(two)]).toEqual([true, false]);
  await first;
  expect(answers.isAnswering(one)).toBe(false);
});

test('stops all answers, waits for them and starts none when it is closed', async () => {
  const answers = new NoteAnswers<object>();
  let ended = 0;
  const work = async (signal: AbortSignal) => {
    await untilStopped(signal);
    ended += 1;
  };
  void answers.run({}, work);
  void answers.run({}, work);
  await answers[Symbol.asyncDispose]();
  await answers.run({}, work);
  expect(ended).toBe(2);
});

test('a note can be asked again when its answer failed', async () => {
  const answers = new NoteAnswers<object>();
  const note = {};
  const failing = answers.run(note, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(answers.isAnswering(note)).toBe(false);
});
