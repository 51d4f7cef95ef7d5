import { expect, test } from 'vitest';
import { QuestionQueue } from './question-queue.ts';

test('shows one question at a time, also after one that failed', async () => {
  const queue = new QuestionQueue();
  const first = Promise.withResolvers<string>();
  const shown: string[] = [];
  const show = (name: string, answer: Promise<string>) => () => {
    shown.push(name);
    return answer;
  };
  const one = queue.ask(show('one', first.promise));
  const two = queue.ask(show('two', Promise.resolve('yes')));
  await expect.poll(() => shown).toEqual(['one']);
  first.reject(new Error('the dialog broke'));
  await expect(one).rejects.toThrow('the dialog broke');
  expect(await two).toBe('yes');
});

test('does not show a question that nobody needs any more', async () => {
  const queue = new QuestionQueue();
  const controller = new AbortController();
  const first = Promise.withResolvers<void>();
  let isShown = false;
  const open = queue.ask(() => first.promise);
  const waiting = queue.ask(async () => {
    isShown = true;
  }, controller.signal);
  controller.abort(new Error('the call ended'));
  first.resolve();
  await open;
  await expect(waiting).rejects.toThrow('the call ended');
  expect(isShown).toBe(false);
});
