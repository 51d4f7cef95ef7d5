import { expect, test } from 'vitest';
import {
  done,
  failed,
  good,
  LifecycleScenario,
  lost,
  missed,
  problem,
  start,
  timer,
  used,
} from '../testing/lifecycle-scenario.ts';
import type { LifecycleEvent, LifecycleState } from './lifecycle-state.ts';

test('connects when it is used and is healthy after handshake and tool list', () => {
  const scenario = new LifecycleScenario().at(0, used);
  expect(scenario.plan).toBe('connecting, attempt 0, failures 0, nothing planned');
  expect(scenario.kinds).toEqual(['connect']);
  scenario.at(1, done);
  expect(scenario.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(scenario.state).toMatchObject({ toolCount: 2, lastConnectedAt: start + 1000 });
  expect(scenario.effect('save')?.change).toEqual({
    lastConnectedAt: start + 1000,
    failureCount: 0,
  });
});

test('using a server that waits for its next try changes nothing', () => {
  const scenario = new LifecycleScenario().at(0, used, failed);
  const before = scenario.state;
  expect(scenario.at(0.5, used).state).toBe(before);
  expect(scenario.effects).toEqual([]);
});

test('connects at once and resets the count on try now', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, failed)
    .at(1, timer, failed)
    .at(2, { kind: 'try-now' });
  expect(scenario.plan).toBe('connecting, attempt 0, failures 0, nothing planned');
  expect(scenario.at(2, failed).plan).toBe('error, attempt 0, failures 0, in 1 s');
});

test('try now checks the health of a connected server', () => {
  expect(new LifecycleScenario().at(0, used, done).at(1, { kind: 'try-now' }).kinds).toEqual([
    'check-health',
  ]);
});

test('enabling resets flags and counts', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, failed)
    .at(1, timer, failed)
    .at(6, timer, failed);
  scenario.at(21, timer, failed).at(100, { kind: 'enabled' });
  expect(scenario.plan).toBe('disconnected, attempt 0, failures 0, nothing planned');
  expect(scenario.state).not.toHaveProperty('autoDisabledAt');
  expect(scenario.state).not.toHaveProperty('reason');
  expect(scenario.effect('save')?.change).toEqual({ autoDisabled: null, failureCount: 0 });
});

test('disabling retires the connection and fails whoever waits', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, done)
    .at(1, { kind: 'disabled', reason: problem() });
  expect(scenario.plan).toBe('disabled, attempt 0, failures 0, nothing planned');
  expect(scenario.kinds).toEqual(['retire-connection', 'fail-waiting']);
  expect(scenario.at(2, used).kinds).toEqual([]);
});

test('tolerates one missed health check, and treats two in a row as a loss', () => {
  const scenario = new LifecycleScenario().at(0, used, done).at(30, timer).at(35, missed);
  expect(scenario.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(scenario.at(65, timer).at(70, missed).plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(scenario.kinds).toEqual(['drop-connection', 'announce', 'notify']);
  expect(scenario.state.reason?.message).toBe(
    'Server "x" did not answer two health checks in a row.',
  );
});

test('resets the missed checks after a good one', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, done)
    .at(30, timer)
    .at(35, missed)
    .at(65, timer, good);
  expect(scenario.at(95, timer).at(100, missed).state.phase).toBe('connected');
});

test('a check missed while calls run does not count', () => {
  const busy = ({ round }: LifecycleState): LifecycleEvent => ({
    kind: 'health-missed',
    round,
    isBusy: true,
  });
  const scenario = new LifecycleScenario()
    .at(0, used, done)
    .at(30, timer)
    .at(35, busy)
    .at(65, timer)
    .at(70, busy);
  expect(scenario.state.phase).toBe('connected');
  expect(scenario.at(100, timer).at(105, missed).state.phase).toBe('connected');
});

test('restarts the health checks after the machine slept', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, done)
    .at(30, timer)
    .at(35, missed)
    .at(8_000, timer);
  expect(scenario.plan).toBe('connected, attempt 0, failures 0, in 5 s');
  expect(scenario.at(8_005, timer).at(8_010, missed).state.phase).toBe('connected');
});

test('ignores a health check that was interrupted by sleep', () => {
  const scenario = new LifecycleScenario().at(0, used, done).at(30, timer).at(8_000, missed);
  expect(scenario.state).toMatchObject({ phase: 'connected', missedChecks: 0 });
});

test('a retry that is due long ago counts from zero', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, failed)
    .at(1, timer, failed)
    .at(6, timer, failed);
  expect(scenario.at(9_000, timer).plan).toBe('connecting, attempt 0, failures 0, nothing planned');
});

test('a changed entry retires the connection and makes a new one', () => {
  const scenario = new LifecycleScenario().at(0, used, done).at(1, { kind: 'entry-changed' });
  expect(scenario.kinds).toEqual(['retire-connection', 'connect']);
  expect(new LifecycleScenario().at(0, { kind: 'entry-changed' }).kinds).toEqual([]);
});

test('what an earlier attempt reports late is ignored', () => {
  const scenario = new LifecycleScenario().at(0, used);
  const late = done(scenario.state);
  scenario.at(1, { kind: 'entry-changed' });
  const before = scenario.state;
  expect(scenario.at(2, late).state).toBe(before);
});

test('does nothing after it was closed', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, done)
    .at(1, { kind: 'closed', reason: problem() });
  expect(scenario.kinds).toEqual(['retire-connection', 'fail-waiting']);
  expect(scenario.at(2, lost, used, { kind: 'enabled' }, { kind: 'try-now' }).effects).toEqual([]);
});
