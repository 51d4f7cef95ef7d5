import { expect, test } from 'vitest';
import { PendingQuestions } from './pending-questions.ts';

function open() {
  const log: string[] = [];
  const questions = new PendingQuestions<{ readonly id: string }, string>({
    onAsked: ({ id }) => log.push(`asked ${id}`),
    onClosed: ({ id }) => log.push(`closed ${id}`),
  });
  return { questions, log };
}

test('the first answer counts', async () => {
  const { questions, log } = open();
  const asked = questions.ask({ id: '1' }, new AbortController().signal);
  expect(questions.list).toEqual([{ id: '1' }]);
  expect(questions.answer('1', 'yes')).toBe(true);
  questions.answer('1', 'no');
  expect(await asked).toBe('yes');
  expect(questions.answer('1', 'late')).toBe(false);
  expect(questions.list).toEqual([]);
  expect(log).toEqual(['asked 1', 'closed 1']);
});

test('a question is withdrawn when its call ends, and one that comes too late is not asked', async () => {
  const { questions, log } = open();
  const controller = new AbortController();
  const asked = questions.ask({ id: '1' }, controller.signal);
  controller.abort(new Error('the call ended'));
  await expect(asked).rejects.toThrow('the call ended');
  await expect(questions.ask({ id: '2' }, controller.signal)).rejects.toThrow('the call ended');
  expect(log).toEqual(['asked 1', 'closed 1']);
});
