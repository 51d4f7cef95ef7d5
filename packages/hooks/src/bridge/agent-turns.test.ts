import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import { AgentTurns } from './agent-turns.ts';

const plan = { agent: 'speckit', operation: 'plan' } as const;
const begun = { ...plan, program: 'claude', session: 's' };

async function open() {
  const clock = new ManualClock();
  const turns = new AgentTurns(clock);
  const events: HookEvent[] = [];
  const source = await turns.start({
    emit: async (event) => void events.push(event),
    onFault: () => undefined,
  });
  return { clock, turns, events, source };
}

test('the end of a turn is the end of what it began, once, with what the agent said', async () => {
  const { clock, turns, events } = await open();
  const chain = { id: 'c', depth: 1, hooks: ['h'] };
  expect(turns.begin({ ...begun, chain })).toMatchObject({
    kind: 'agent-operation',
    fields: { ...plan, timing: 'before', bridge: { program: 'claude', session: 's' } },
    chain,
  });
  turns.end('other', { isAborted: false });
  turns.end('s', { output: 'Done.', isAborted: false });
  turns.end('s', { output: 'Again.', isAborted: false });
  expect(events).toEqual([]);
  await clock.advance(3_000);
  expect(events).toMatchObject([
    { fields: { ...plan, timing: 'after', agentOutput: 'Done.' }, chain },
  ]);
});

test('what files tell of is not told again by the agent, before or after the end of its turn', async () => {
  const { clock, turns, events } = await open();
  turns.begin(begun);
  expect(turns.tell(plan)).toEqual({});
  turns.end('s', { output: 'Late.', isAborted: false });
  await clock.advance(10_000);
  turns.begin(begun);
  turns.end('s', { output: 'Done.', isAborted: false });
  expect(turns.tell({ ...plan, operation: 'tasks' })).toEqual({});
  expect(turns.tell(plan)).toEqual({
    agentOutput: 'Done.',
    bridge: { program: 'claude', session: 's' },
  });
  await clock.advance(10_000);
  expect(events).toEqual([]);
});

test('an interrupted turn ended nothing, and one that is told twice is one', async () => {
  const { clock, turns, events, source } = await open();
  const first = turns.begin(begun);
  expect(turns.begin(begun).id).toBe(first.id);
  expect(turns.begin({ ...begun, operation: 'tasks' }).id).not.toBe(first.id);
  turns.end('s', { isAborted: true });
  const second = turns.begin(begun);
  await clock.advance(2_000);
  expect(turns.begin(begun).id).not.toBe(second.id);
  turns.drop('s');
  expect(turns.begin(begun).id).not.toBe(first.id);
  turns.end('s', { isAborted: false });
  await source[Symbol.asyncDispose]();
  await clock.advance(10_000);
  expect(events).toEqual([]);
});

test('remembers a bounded number of conversations', async () => {
  const { clock, turns, events } = await open();
  for (let index = 0; index < 1_001; index += 1) turns.begin({ ...begun, session: `s${index}` });
  turns.end('s0', { isAborted: false });
  turns.end('s1', { isAborted: false });
  await clock.advance(3_000);
  expect(events).toMatchObject([{ fields: { bridge: { session: 's1' } } }]);
});
