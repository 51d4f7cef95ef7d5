import { type FlowContext, memoryStore, StoredJobs } from '@errand/jobs';
import { expect, test } from 'vitest';
import { answerJobs } from './answer-jobs.ts';

const failing = {
  run: async (_: unknown, { step }: FlowContext) => {
    await step('one', () => 1);
    await step('two', () => Promise.reject(new Error('no')));
  },
};
const waiting = { run: async (_: unknown, { waitFor }: FlowContext) => waitFor('never') };

test('finds a job by the beginning of its id, shows its steps, retries and cancels it', async () => {
  await using jobs = StoredJobs.open(memoryStore(), { flows: { failing, waiting } });
  await jobs.start('failing', { note: 'A.md' }, { id: 'abc1' });
  await jobs.start('waiting', null, { id: 'abd2' });
  const show = (id: string) => answerJobs(jobs, 'show', { id });
  await expect.poll(() => show('abc')).toMatchObject({ state: 'failed', error: { message: 'no' } });
  expect(await show('abc1')).toMatchObject({
    steps: [
      { name: 'one', state: 'done' },
      { name: 'two', state: 'failed' },
    ],
  });
  await expect(show('ab')).rejects.toThrow('Several jobs begin with "ab".');
  await expect(show('x')).rejects.toThrow('There is no job "x".');
  expect(await answerJobs(jobs, 'list', { state: 'failed' })).toMatchObject({
    jobs: [{ id: 'abc1' }],
  });
  expect(await answerJobs(jobs, 'cancel', { id: 'abd' })).toMatchObject({ state: 'cancelled' });
  await expect(answerJobs(jobs, 'cancel', { id: 'abd' })).rejects.toThrow('has ended already');
  expect(await answerJobs(jobs, 'retry', { id: 'abd' })).toMatchObject({ id: 'abd2' });
  await expect(answerJobs(jobs, 'retry', { id: 'abd' })).rejects.toThrow(
    'only a failed or cancelled',
  );
});

test('a vault without an engine has no jobs', async () => {
  expect(await answerJobs(undefined, 'list', {})).toEqual({ jobs: [] });
  await expect(answerJobs(undefined, 'show', { id: 'a' })).rejects.toThrow('no job');
});
