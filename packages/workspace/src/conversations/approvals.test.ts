import { expect, test } from 'vitest';
import { QuestionQueue } from '../questions/question-queue.ts';
import { Approvals, type AskPerson, type CallVerdict } from './approvals.ts';

const context = { assistant: 'Claude', note: 'a.md' };
type Context = typeof context;
const { signal } = new AbortController();
const call = (tool: string, conversation = 'q') => ({
  call: tool,
  conversation,
  server: 'files',
  tool,
  description: '',
  parameters: {},
  isDestructive: true,
  because: 'writes' as const,
});

/** A person who says these things in turn, and remembers what they were asked. */
function person(...verdicts: CallVerdict[]) {
  const asked: Parameters<AskPerson<Context>>[0][] = [];
  const approvals = new Approvals<Context>(new QuestionQueue(), async (question) => {
    asked.push(question);
    return verdicts.shift() ?? 'deny';
  });
  return { asked, approvals };
}

test('asks one question after the other', async () => {
  const answer = Promise.withResolvers<CallVerdict>();
  const asked: string[] = [];
  const approvals = new Approvals<Context>(new QuestionQueue(), ({ tool }) => {
    asked.push(tool);
    return asked.length === 1 ? answer.promise : Promise.resolve('deny');
  });
  const { approve } = approvals.approverFor(context);
  const both = Promise.all([approve(call('one'), signal), approve(call('two'), signal)]);
  await expect.poll(() => asked).toEqual(['one']);
  answer.resolve('once');
  expect(await both).toEqual([true, false]);
  expect(asked).toEqual(['one', 'two']);
});

test('what is allowed for a conversation is asked once in it, and again elsewhere', async () => {
  const { approvals, asked } = person('conversation', 'once', 'deny', 'deny');
  const here = approvals.approverFor(context);
  expect(await here.approve(call('one'), signal)).toBe(true);
  expect(await here.approve(call('one'), signal)).toBe(true);
  expect(await here.approve(call('two'), signal)).toBe(true);
  expect(await here.approve(call('two'), signal)).toBe(false);
  expect(await here.approve(call('one', 'another'), signal)).toBe(false);
  expect(asked).toHaveLength(4);
});

test('asks nothing that was stopped while it waited', async () => {
  const { approvals, asked } = person('once');
  const { approve } = approvals.approverFor(context);
  await expect(approve(call('one'), AbortSignal.abort())).rejects.toThrow('aborted');
  expect(asked).toEqual([]);
});

test('says who asks, and where', async () => {
  const { approvals, asked } = person('once');
  await approvals.approverFor(context).approve(call('one'), signal);
  expect(asked).toMatchObject([{ assistant: 'Claude', note: 'a.md', server: 'files' }]);
});
