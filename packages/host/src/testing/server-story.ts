import { HostError, type HostErrorCode } from '../host-error.ts';
import { nextServerState } from '../registry/next-server-state.ts';
import {
  defaultRetryPlan,
  initialServerState,
  type ServerEffect,
  type ServerEvent,
  type ServerState,
} from '../registry/server-state.ts';
import { localServer } from './local-server.ts';

export const start = 1_000_000;

/** One server's story: events at given seconds, with the state and the effects after each. */
export class ServerStory {
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

export const used: ServerEvent = { kind: 'used' };
export const done = ({ round }: ServerState): ServerEvent => ({
  kind: 'connect-done',
  round,
  toolCount: 2,
});
export const failed = ({ round }: ServerState): ServerEvent => ({
  kind: 'connect-failed',
  round,
  error: problem(),
});
export const lost = ({ round }: ServerState): ServerEvent => ({
  kind: 'connection-lost',
  round,
  error: problem(),
});
export const timer = ({ round }: ServerState): ServerEvent => ({ kind: 'timer-fired', round });
export const good = ({ round }: ServerState): ServerEvent => ({
  kind: 'health-good',
  round,
  latency: 4,
});
export const missed = ({ round }: ServerState): ServerEvent => ({
  kind: 'health-missed',
  round,
  isBusy: false,
});

/** The failure of the story. */
export function problem(code: HostErrorCode = 'server_unavailable'): HostError {
  return new HostError(code, 'It broke.');
}
