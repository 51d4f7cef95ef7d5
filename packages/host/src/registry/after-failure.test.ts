import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import {
  done,
  failed,
  good,
  LifecycleScenario,
  lost,
  problem,
  start,
  timer,
  used,
} from '../testing/lifecycle-scenario.ts';
import type { LifecycleEvent, LifecycleState } from './lifecycle-state.ts';

test('tries again after 1, 5 and 15 seconds and then gives up', () => {
  const scenario = new LifecycleScenario().at(0, used, done).at(10, lost);
  expect(scenario.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(scenario.effect('notify')?.notice.message).toBe('MCP server x disconnected, retrying...');
  expect(scenario.at(11, timer, failed).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(scenario.effect('notify')).toBeUndefined();
  expect(scenario.effect('save')?.change).toEqual({ failureCount: 1 });
  expect(scenario.at(16, timer, failed).plan).toBe('error, attempt 2, failures 2, in 15 s');
  scenario.at(31, timer, failed);
  expect(scenario.plan).toBe('disabled, attempt 3, failures 3, in 300 s');
  expect(scenario.state.autoDisabledAt).toBe(start + 31_000);
  expect(scenario.effect('save')?.change).toEqual({
    autoDisabled: { at: start + 31_000, reason: expect.objectContaining({ message: 'It broke.' }) },
    failureCount: 3,
  });
  expect(scenario.effect('notify')?.notice).toMatchObject({
    level: 'error',
    message: 'MCP server x auto-disabled after 3 failures',
    detail: 'It broke.',
    advice: [{ kind: 'enable-fixed-server', server: 'x' }],
  });
});

test('the first failed connection starts the same cycle', () => {
  const scenario = new LifecycleScenario().at(0, used, failed);
  expect(scenario.effect('notify')?.notice.message).toBe(
    'Could not start MCP server x, retrying...',
  );
  expect(scenario.plan).toBe('error, attempt 0, failures 0, in 1 s');
  scenario.at(1, timer, failed).at(6, timer, failed).at(21, timer, failed);
  expect(scenario.plan).toBe('disabled, attempt 3, failures 3, nothing planned');
});

test('retries a server that had worked every five minutes', () => {
  const scenario = new LifecycleScenario().at(0, used, done).at(10, lost);
  scenario.at(11, timer, failed).at(16, timer, failed).at(31, timer, failed);
  expect(scenario.at(331, timer).state.phase).toBe('connecting');
  scenario.at(332, failed);
  expect(scenario.plan).toBe('disabled, attempt 0, failures 0, in 300 s');
  expect(scenario.effect('notify')).toBeUndefined();
  scenario.at(632, timer, done);
  expect(scenario.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(scenario.state).not.toHaveProperty('autoDisabledAt');
  expect(scenario.effect('save')?.change).toMatchObject({ autoDisabled: null });
  expect(scenario.effect('notify')?.notice.message).toBe('MCP server x connected again');
});

test.each([
  ['the engine is not running', new HostError('docker_unavailable', 'No engine.')],
  ['there is no network', new HostError('server_unavailable', 'Offline.', { isPassing: true })],
])('never gives up a server because %s', (_why, error) => {
  const unlucky = ({ round }: LifecycleState): LifecycleEvent => ({
    kind: 'connect-failed',
    round,
    error,
  });
  const scenario = new LifecycleScenario().at(0, used, unlucky);
  for (let time = 15; time <= 600; time += 15) scenario.at(time, timer, unlucky);
  expect(scenario.plan).toBe('error, attempt 0, failures 0, in 15 s');
  expect(scenario.effect('notify')).toBeUndefined();
  expect(scenario.at(615, timer, done).plan).toBe('connected, attempt 0, failures 0, in 30 s');
});

test('waits as long as a server asks', () => {
  const error = new HostError('server_unavailable', 'Busy.', {
    isPassing: true,
    retryAfter: 90_000,
  });
  const busy = ({ round }: LifecycleState): LifecycleEvent => ({
    kind: 'connect-failed',
    round,
    error,
  });
  expect(new LifecycleScenario().at(0, used, busy).plan).toBe(
    'error, attempt 0, failures 0, in 90 s',
  );
});

test('a connection resets the failures, and only a good health check the attempts', () => {
  const scenario = new LifecycleScenario()
    .at(0, used, failed)
    .at(1, timer, failed)
    .at(6, timer, done);
  expect(scenario.plan).toBe('connected, attempt 1, failures 0, in 30 s');
  expect(scenario.at(36, timer, good).plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(scenario.at(40, lost).plan).toBe('error, attempt 0, failures 0, in 1 s');
});

test('gives up a server that crashes right after every start', () => {
  const scenario = new LifecycleScenario().at(0, used, done, lost);
  expect(scenario.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(scenario.at(1, timer, done, lost).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(scenario.at(6, timer, done, lost).plan).toBe('error, attempt 2, failures 1, in 15 s');
  expect(scenario.at(21, timer, done, lost).plan).toBe('disabled, attempt 3, failures 3, in 300 s');
});

test('adds at most 250 ms for remote servers', () => {
  const scenario = new LifecycleScenario();
  scenario.isRemote = true;
  expect(scenario.at(0, used, failed).plan).toBe('error, attempt 0, failures 0, in 1.25 s');
});

test.each(['login_required', 'secret_missing', 'settings_invalid', 'untrusted'] as const)(
  'plans no retry for %s, and tries again when it is used',
  (code) => {
    const scenario = new LifecycleScenario().at(0, used, ({ round }) => ({
      kind: 'connect-failed',
      round,
      error: problem(code),
    }));
    expect(scenario.plan).toBe('error, attempt 0, failures 0, nothing planned');
    expect(scenario.effect('fail-waiting')?.error.code).toBe(code);
    expect(scenario.at(1, used).kinds).toEqual(['connect']);
  },
);

test('calls that wait for a first start fail with its reason; those that wait for a return wait on', () => {
  expect(new LifecycleScenario().at(0, used, failed).kinds).toContain('fail-waiting');
  const scenario = new LifecycleScenario().at(0, used, done).at(1, lost);
  expect(scenario.kinds).not.toContain('fail-waiting');
  expect(scenario.at(2, timer, failed).kinds).not.toContain('fail-waiting');
  scenario.at(7, timer, failed).at(22, timer, failed);
  expect(scenario.effect('fail-waiting')?.error).toMatchObject({
    message: 'MCP server x auto-disabled after 3 failures. It broke.',
    advice: [{ kind: 'enable-fixed-server', server: 'x' }],
  });
});
