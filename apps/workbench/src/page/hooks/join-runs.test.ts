import { expect, test } from 'vitest';
import type { HookRunBrief, HookView } from '../../contract.ts';
import { hookState } from './hook-state.ts';
import { applyRuns, joinRuns } from './join-runs.ts';

const run = (id: string, status: HookRunBrief['status'], startedAt = 1): HookRunBrief => ({
  id,
  hookId: 'h',
  hookName: 'Hook',
  status,
  event: 'manual',
  startedAt,
  endedAt: null,
  message: null,
});
const view = (rest: object = {}) =>
  ({
    hook: { id: 'h', name: 'Hook', enabled: true, runsPerHour: 60 },
    verdict: 'trusted',
    faults: [],
    active: 0,
    ...rest,
  }) as unknown as HookView;

test('runs that work come first, then the newest, and no more than can be shown', () => {
  const known = [run('old', 'success', 1), run('work', 'running', 2)];
  const changed = [run('new', 'failure', 5), run('work', 'running', 2), run('wait', 'queued', 3)];
  const ids = joinRuns(known, changed, 3).map(({ id }) => id);
  expect(ids).toEqual(['wait', 'work', 'new']);
  const storm = Array.from({ length: 5_000 }, (_, index) => run(`${index}`, 'success', index));
  expect(joinRuns([], storm, 20)).toHaveLength(20);
});

test('a hook follows its runs: one more works, one has ended', () => {
  const begun = applyRuns([view()], [], [run('a', 'running')]);
  expect(begun).toMatchObject([{ active: 1 }]);
  const ended = applyRuns(begun, [run('a', 'running')], [run('a', 'failure', 7)]);
  expect(ended).toMatchObject([
    { active: 0, lastRun: { id: 'a', status: 'failure' }, lastExecutedAt: 7 },
  ]);
  expect(applyRuns(ended, [], [{ ...run('x', 'running'), hookId: 'other' }])).toEqual(ended);
});

test.each([
  [{}, 'Never ran'],
  [{ lastRun: { id: 'a', status: 'timeout' } }, 'Timed out'],
  [{ active: 2 }, 'Running (2)'],
  [{ pausedAt: 1, active: 1 }, 'Paused'],
  [{ hook: { enabled: false } }, 'Off'],
  [{ hook: { enabled: false }, faults: [{ code: 'tool_removed', message: 'x' }] }, 'Invalid'],
  [{ faults: [{ code: 'server_disabled', message: 'x' }] }, 'Needs attention'],
  [{ verdict: 'changed', pausedAt: 1 }, 'Changed since you agreed'],
  [{ verdict: 'untrusted', active: 1 }, 'Needs your approval'],
])('a hook with %j is shown as %j', (known, label) => {
  expect(hookState(view(known)).label).toBe(label);
});

test('a hook that no agent tells of says how to let one', () => {
  const faults = [{ code: 'never_told', message: 'No agent tells.', advice: [] }] as const;
  expect(hookState(view({ faults })).reason).toBe(
    'No agent tells. Let one, in the folder of the vault: errand hooks bridge install claude',
  );
});
