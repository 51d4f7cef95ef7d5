import { HostError, type HostErrorCode } from '../host-error.ts';
import {
  defaultRetryPlan,
  initialLifecycleState,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleState,
} from '../registry/lifecycle-state.ts';
import { nextLifecycleState } from '../registry/next-lifecycle-state.ts';
import { localServer } from './local-server.ts';

export const start = 1_000_000;

/** One server's scenario: events at given seconds, with the state and the effects after each. */
export class LifecycleScenario {
  state: LifecycleState = initialLifecycleState(localServer('x'));
  effects: readonly LifecycleEffect[] = [];
  now = start;
  isRemote = false;

  at(
    seconds: number,
    ...events: readonly (LifecycleEvent | ((s: LifecycleState) => LifecycleEvent))[]
  ): this {
    this.now = start + seconds * 1000;
    for (const event of events) {
      const step = nextLifecycleState(
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

  effect<K extends LifecycleEffect['kind']>(kind: K) {
    return this.effects.find(
      (effect): effect is LifecycleEffect & { kind: K } => effect.kind === kind,
    );
  }
}

export const used: LifecycleEvent = { kind: 'used' };
export const done = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'connect-done',
  round,
  toolCount: 2,
});
export const failed = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'connect-failed',
  round,
  error: problem(),
});
export const lost = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'connection-lost',
  round,
  error: problem(),
});
export const timer = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'timer-fired',
  round,
});
export const good = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'health-good',
  round,
  latency: 4,
});
export const missed = ({ round }: LifecycleState): LifecycleEvent => ({
  kind: 'health-missed',
  round,
  isBusy: false,
});

/** The failure of the scenario. */
export function problem(code: HostErrorCode = 'server_unavailable'): HostError {
  return new HostError(code, 'It broke.');
}
