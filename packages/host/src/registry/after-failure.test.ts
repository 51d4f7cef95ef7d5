import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import {
  done,
  failed,
  good,
  lost,
  problem,
  ServerStory,
  start,
  timer,
  used,
} from '../testing/server-story.ts';
import type { ServerEvent, ServerState } from './server-state.ts';

test('tries again after 1, 5 and 15 seconds and then gives up', () => {
  const story = new ServerStory().at(0, used, done).at(10, lost);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(story.effect('notify')?.notice.message).toBe('MCP server x disconnected, retrying...');
  expect(story.at(11, timer, failed).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(story.effect('notify')).toBeUndefined();
  expect(story.effect('save')?.change).toEqual({ failureCount: 1 });
  expect(story.at(16, timer, failed).plan).toBe('error, attempt 2, failures 2, in 15 s');
  story.at(31, timer, failed);
  expect(story.plan).toBe('disabled, attempt 3, failures 3, in 300 s');
  expect(story.state.autoDisabledAt).toBe(start + 31_000);
  expect(story.effect('save')?.change).toEqual({
    autoDisabled: { at: start + 31_000, reason: expect.objectContaining({ message: 'It broke.' }) },
    failureCount: 3,
  });
  expect(story.effect('notify')?.notice).toMatchObject({
    level: 'error',
    message: 'MCP server x auto-disabled after 3 failures',
    detail: 'It broke.',
    advice: [{ kind: 'enable-fixed-server', server: 'x' }],
  });
});

test('the first failed connection starts the same cycle', () => {
  const story = new ServerStory().at(0, used, failed);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  story.at(1, timer, failed).at(6, timer, failed).at(21, timer, failed);
  expect(story.plan).toBe('disabled, attempt 3, failures 3, nothing planned');
});

test('looks every five minutes whether a server that had worked works again', () => {
  const story = new ServerStory().at(0, used, done).at(10, lost);
  story.at(11, timer, failed).at(16, timer, failed).at(31, timer, failed);
  expect(story.at(331, timer).state.phase).toBe('connecting');
  story.at(332, failed);
  expect(story.plan).toBe('disabled, attempt 0, failures 0, in 300 s');
  expect(story.effect('notify')).toBeUndefined();
  story.at(632, timer, done);
  expect(story.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(story.state).not.toHaveProperty('autoDisabledAt');
  expect(story.effect('save')?.change).toMatchObject({ autoDisabled: null });
  expect(story.effect('notify')?.notice.message).toBe('MCP server x connected again');
});

test.each([
  ['the engine is not running', new HostError('docker_unavailable', 'No engine.')],
  ['there is no network', new HostError('server_unavailable', 'Offline.', { isPassing: true })],
])('never gives up a server because %s', (_why, error) => {
  const unlucky = ({ round }: ServerState): ServerEvent => ({
    kind: 'connect-failed',
    round,
    error,
  });
  const story = new ServerStory().at(0, used, unlucky);
  for (let time = 15; time <= 600; time += 15) story.at(time, timer, unlucky);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 15 s');
  expect(story.effect('notify')).toBeUndefined();
  expect(story.at(615, timer, done).plan).toBe('connected, attempt 0, failures 0, in 30 s');
});

test('waits as long as a server asks', () => {
  const error = new HostError('server_unavailable', 'Busy.', {
    isPassing: true,
    retryAfter: 90_000,
  });
  const busy = ({ round }: ServerState): ServerEvent => ({ kind: 'connect-failed', round, error });
  expect(new ServerStory().at(0, used, busy).plan).toBe('error, attempt 0, failures 0, in 90 s');
});

test('a connection resets the failures, and only a good health check the attempts', () => {
  const story = new ServerStory().at(0, used, failed).at(1, timer, failed).at(6, timer, done);
  expect(story.plan).toBe('connected, attempt 1, failures 0, in 30 s');
  expect(story.at(36, timer, good).plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(story.at(40, lost).plan).toBe('error, attempt 0, failures 0, in 1 s');
});

test('gives up a server that crashes right after every start', () => {
  const story = new ServerStory().at(0, used, done, lost);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(story.at(1, timer, done, lost).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(story.at(6, timer, done, lost).plan).toBe('error, attempt 2, failures 1, in 15 s');
  expect(story.at(21, timer, done, lost).plan).toBe('disabled, attempt 3, failures 3, in 300 s');
});

test('adds at most 250 ms for remote servers', () => {
  const story = new ServerStory();
  story.isRemote = true;
  expect(story.at(0, used, failed).plan).toBe('error, attempt 0, failures 0, in 1.25 s');
});

test.each(['login_required', 'secret_missing', 'settings_invalid', 'untrusted'] as const)(
  'plans no retry for %s, and tries again when it is used',
  (code) => {
    const story = new ServerStory().at(0, used, ({ round }) => ({
      kind: 'connect-failed',
      round,
      error: problem(code),
    }));
    expect(story.plan).toBe('error, attempt 0, failures 0, nothing planned');
    expect(story.effect('fail-waiting')?.error.code).toBe(code);
    expect(story.at(1, used).kinds).toEqual(['connect']);
  },
);

test('calls that wait for a first start fail with its reason; those that wait for a return wait on', () => {
  expect(new ServerStory().at(0, used, failed).kinds).toContain('fail-waiting');
  const story = new ServerStory().at(0, used, done).at(1, lost);
  expect(story.kinds).not.toContain('fail-waiting');
  expect(story.at(2, timer, failed).kinds).not.toContain('fail-waiting');
  story.at(7, timer, failed).at(22, timer, failed);
  expect(story.effect('fail-waiting')?.error).toMatchObject({
    message: 'MCP server x auto-disabled after 3 failures. It broke.',
    advice: [{ kind: 'enable-fixed-server', server: 'x' }],
  });
});
