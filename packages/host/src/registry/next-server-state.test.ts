import { expect, test } from 'vitest';
import { HostError, type HostErrorCode } from '../host-error.ts';
import { localServer } from '../testing/memory-settings.ts';
import { nextServerState } from './next-server-state.ts';
import {
  defaultRetryPlan,
  initialServerState,
  type ServerEffect,
  type ServerEvent,
  type ServerState,
} from './server-state.ts';

const start = 1_000_000;

/** One server's story: events at given seconds, with the state and the effects after each. */
class Story {
  state: ServerState = initialServerState(localServer('x'));
  effects: readonly ServerEffect[] = [];
  now = start;
  isRemote = false;

  at(
    seconds: number,
    ...events: readonly (ServerEvent | ((s: ServerState) => ServerEvent))[]
  ): this {
    this.now = start + seconds * 1000;
    for (const event of events) {
      const step = nextServerState(
        this.state,
        typeof event === 'function' ? event(this.state) : event,
        { name: 'x', isRemote: this.isRemote, now: this.now, random: 1, plan: defaultRetryPlan },
      );
      this.state = step.state;
      this.effects = step.effects;
    }
    return this;
  }

  /** What happens next and in how many seconds, as a person would be told. */
  get plan(): string {
    const { phase, attempt, failureCount, dueAt } = this.state;
    const due = dueAt === undefined ? 'nothing planned' : `in ${(dueAt - this.now) / 1000} s`;
    return `${phase}, attempt ${attempt}, failures ${failureCount}, ${due}`;
  }

  get kinds(): readonly string[] {
    return this.effects.map((effect) => effect.kind);
  }

  effect<K extends ServerEffect['kind']>(kind: K) {
    return this.effects.find(
      (effect): effect is ServerEffect & { kind: K } => effect.kind === kind,
    );
  }
}

const used: ServerEvent = { kind: 'used' };
const done = ({ round }: ServerState): ServerEvent => ({
  kind: 'connect-done',
  round,
  toolCount: 2,
});
const failed = ({ round }: ServerState): ServerEvent => ({
  kind: 'connect-failed',
  round,
  error: problem(),
});
const lost = ({ round }: ServerState): ServerEvent => ({
  kind: 'connection-lost',
  round,
  error: problem(),
});
const timer = ({ round }: ServerState): ServerEvent => ({ kind: 'timer-fired', round });
const good = ({ round }: ServerState): ServerEvent => ({ kind: 'health-good', round, latency: 4 });
const missed = ({ round }: ServerState): ServerEvent => ({
  kind: 'health-missed',
  round,
  isBusy: false,
});

function problem(code: HostErrorCode = 'server_unavailable'): HostError {
  return new HostError(code, 'It broke.');
}

test('connects when it is used and is healthy after handshake and tool list', () => {
  const story = new Story().at(0, used);
  expect(story.plan).toBe('connecting, attempt 0, failures 0, nothing planned');
  expect(story.kinds).toEqual(['connect']);
  story.at(1, done);
  expect(story.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(story.state).toMatchObject({ toolCount: 2, lastConnectedAt: start + 1000 });
  expect(story.effect('save')?.change).toEqual({ lastConnectedAt: start + 1000, failureCount: 0 });
});

test('tries again after 1, 5 and 15 seconds and then gives up for good', () => {
  const story = new Story().at(0, used, done).at(10, lost);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(story.effect('notify')?.notice.message).toBe('MCP server x disconnected, retrying...');
  expect(story.at(11, timer, failed).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(story.effect('notify')).toBeUndefined();
  expect(story.effect('save')?.change).toEqual({ failureCount: 1 });
  expect(story.at(16, timer, failed).plan).toBe('error, attempt 2, failures 2, in 15 s');
  story.at(31, timer, failed);
  expect(story.plan).toBe('disabled, attempt 3, failures 3, nothing planned');
  expect(story.state.autoDisabledAt).toBe(start + 31_000);
  expect(story.effect('save')?.change).toEqual({
    enabled: false,
    autoDisabled: true,
    failureCount: 3,
  });
  expect(story.effect('notify')?.notice).toMatchObject({
    level: 'error',
    message: 'MCP server x auto-disabled after 3 failures',
    detail: 'It broke. When that is mended: errand servers enable x',
  });
  expect(story.effect('announce')?.event).toBe('server-auto-disabled');
});

test('the first failed connection starts the same cycle', () => {
  const story = new Story().at(0, used, failed);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  story.at(1, timer, failed).at(6, timer, failed).at(21, timer, failed);
  expect(story.state.phase).toBe('disabled');
});

test('a connection resets the failures, and only a good health check the attempts', () => {
  const story = new Story().at(0, used, failed).at(1, timer, failed).at(6, timer, done);
  expect(story.plan).toBe('connected, attempt 1, failures 0, in 30 s');
  expect(story.at(36, timer, good).plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(story.at(40, lost).plan).toBe('error, attempt 0, failures 0, in 1 s');
});

test('gives up a server that crashes right after every start', () => {
  const story = new Story().at(0, used, done, lost);
  expect(story.plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(story.at(1, timer, done, lost).plan).toBe('error, attempt 1, failures 1, in 5 s');
  expect(story.at(6, timer, done, lost).plan).toBe('error, attempt 2, failures 1, in 15 s');
  expect(story.at(21, timer, done, lost).plan).toBe(
    'disabled, attempt 3, failures 3, nothing planned',
  );
});

test('adds at most 250 ms for remote servers', () => {
  const story = new Story();
  story.isRemote = true;
  expect(story.at(0, used, failed).plan).toBe('error, attempt 0, failures 0, in 1.25 s');
});

test.each(['login_required', 'secret_missing', 'settings_invalid', 'untrusted'] as const)(
  'plans no retry for %s, and tries again when it is used',
  (code) => {
    const story = new Story().at(0, used, ({ round }) => ({
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
  expect(new Story().at(0, used, failed).kinds).toContain('fail-waiting');
  const story = new Story().at(0, used, done).at(1, lost);
  expect(story.kinds).not.toContain('fail-waiting');
  expect(story.at(2, timer, failed).kinds).not.toContain('fail-waiting');
  story.at(7, timer, failed).at(22, timer, failed);
  expect(story.effect('fail-waiting')?.error.message).toBe(
    'MCP server x auto-disabled after 3 failures. It broke. When that is mended: errand servers enable x',
  );
});

test('using a server that waits for its next try changes nothing', () => {
  const story = new Story().at(0, used, failed);
  const before = story.state;
  expect(story.at(0.5, used).state).toBe(before);
  expect(story.effects).toEqual([]);
});

test('try now connects at once and counts from zero', () => {
  const story = new Story().at(0, used, failed).at(1, timer, failed).at(2, { kind: 'try-now' });
  expect(story.plan).toBe('connecting, attempt 0, failures 0, nothing planned');
  expect(story.at(2, failed).plan).toBe('error, attempt 0, failures 0, in 1 s');
});

test('try now checks the health of a connected server', () => {
  expect(new Story().at(0, used, done).at(1, { kind: 'try-now' }).kinds).toEqual(['check-health']);
});

test('enabling resets flags and counts', () => {
  const story = new Story().at(0, used, failed).at(1, timer, failed).at(6, timer, failed);
  story.at(21, timer, failed).at(100, { kind: 'enabled' });
  expect(story.plan).toBe('disconnected, attempt 0, failures 0, nothing planned');
  expect(story.state).not.toHaveProperty('autoDisabledAt');
  expect(story.state).not.toHaveProperty('reason');
  expect(story.effect('save')?.change).toEqual({ autoDisabled: false, failureCount: 0 });
});

test('disabling retires the connection and fails whoever waits', () => {
  const story = new Story().at(0, used, done).at(1, { kind: 'disabled', reason: problem() });
  expect(story.plan).toBe('disabled, attempt 0, failures 0, nothing planned');
  expect(story.kinds).toEqual(['retire-connection', 'fail-waiting']);
  expect(story.at(2, used).kinds).toEqual([]);
});

test('one missed health check is forgiven, two in a row are a loss', () => {
  const story = new Story().at(0, used, done).at(30, timer).at(35, missed);
  expect(story.plan).toBe('connected, attempt 0, failures 0, in 30 s');
  expect(story.at(65, timer).at(70, missed).plan).toBe('error, attempt 0, failures 0, in 1 s');
  expect(story.kinds).toEqual(['drop-connection', 'announce', 'notify']);
  expect(story.state.reason?.message).toBe('Server "x" did not answer two health checks in a row.');
});

test('a good check between two missed ones forgives the first', () => {
  const story = new Story().at(0, used, done).at(30, timer).at(35, missed).at(65, timer, good);
  expect(story.at(95, timer).at(100, missed).state.phase).toBe('connected');
});

test('a check missed while calls run does not count', () => {
  const busy = ({ round }: ServerState): ServerEvent => ({
    kind: 'health-missed',
    round,
    isBusy: true,
  });
  const story = new Story().at(0, used, done).at(30, timer).at(35, busy).at(65, timer).at(70, busy);
  expect(story.state.phase).toBe('connected');
  expect(story.at(100, timer).at(105, missed).state.phase).toBe('connected');
});

test('a health check that is due long ago means that the machine slept: the round starts anew', () => {
  const story = new Story().at(0, used, done).at(30, timer).at(35, missed).at(8_000, timer);
  expect(story.plan).toBe('connected, attempt 0, failures 0, in 5 s');
  expect(story.at(8_005, timer).at(8_010, missed).state.phase).toBe('connected');
});

test('a check that was under way when the machine slept says nothing', () => {
  const story = new Story().at(0, used, done).at(30, timer).at(8_000, missed);
  expect(story.state).toMatchObject({ phase: 'connected', missedChecks: 0 });
});

test('a retry that is due long ago counts from zero', () => {
  const story = new Story().at(0, used, failed).at(1, timer, failed).at(6, timer, failed);
  expect(story.at(9_000, timer).plan).toBe('connecting, attempt 0, failures 0, nothing planned');
});

test('a changed entry retires the connection and makes a new one', () => {
  const story = new Story().at(0, used, done).at(1, { kind: 'entry-changed' });
  expect(story.kinds).toEqual(['retire-connection', 'connect']);
  expect(new Story().at(0, { kind: 'entry-changed' }).kinds).toEqual([]);
});

test('what an earlier attempt reports late is ignored', () => {
  const story = new Story().at(0, used);
  const late = done(story.state);
  story.at(1, { kind: 'entry-changed' });
  const before = story.state;
  expect(story.at(2, late).state).toBe(before);
});

test('after the end nothing happens any more', () => {
  const story = new Story().at(0, used, done).at(1, { kind: 'closed', reason: problem() });
  expect(story.kinds).toEqual(['retire-connection', 'fail-waiting']);
  expect(story.at(2, lost, used, { kind: 'enabled' }, { kind: 'try-now' }).effects).toEqual([]);
});
