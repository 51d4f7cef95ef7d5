import type { ConnectStep } from '../connection.ts';
import { briefFailure } from '../host-error.ts';
import type { Trust, TrustVerdict } from '../settings/open-trust.ts';
import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';
import {
  defaultRetryPlan,
  initialLifecycleState,
  type LifecycleState,
  type RetryPlan,
} from './lifecycle-state.ts';
import type { ServerRunner } from './server-runner.ts';

/** Everything that is known of a server right now; every face shows this. Times are milliseconds since 1970. */
export interface ServerSnapshot {
  /** The stored entry, with what this machine remembers of the server. */
  readonly config: ServerConfig;
  /** `trusted` also when it may start for this run only. */
  readonly trust: TrustVerdict;
  /** False from the moment the host gave the server up, before that is stored. */
  readonly enabled: boolean;
  /** Switched off by the host after repeated failures. */
  readonly autoDisabled: boolean;
  readonly autoDisabledAt?: number;
  readonly connectionState: 'disconnected' | 'connecting' | 'connected' | 'error';
  /** What a server that is being connected waits for. */
  readonly step?: ConnectStep;
  /** Why it is not connected. */
  readonly reason?: ErrorInfo;
  readonly consecutiveFailures: number;
  readonly retryState: {
    readonly isRetrying: boolean;
    /** Failed retries so far. */
    readonly currentAttempt: number;
    readonly nextRetryAt?: number;
    /** One for each retry. */
    readonly backoffIntervals: readonly number[];
  };
  readonly toolCount?: number;
  readonly pingLatency?: number;
  readonly lastPingAt?: number;
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly lastFailureAt?: number;
}

/** Describes a server as it is right now. */
export function takeSnapshot(
  {
    server,
    state,
    step,
    knownTools,
  }: Pick<ServerRunner, 'server' | 'state' | 'step'> & Partial<Pick<ServerRunner, 'knownTools'>>,
  { plan, trust }: { readonly plan: RetryPlan; readonly trust: StartTrust },
): ServerSnapshot {
  const { phase, reason, dueAt } = state;
  const isOff = phase === 'disabled' || phase === 'closed';
  const isGivenUp = server.enabled && phase === 'disabled';
  const isRetrying = phase === 'error' && dueAt !== undefined;
  return {
    config: server,
    trust: trustOf(server, trust),
    enabled: server.enabled && !isGivenUp,
    autoDisabled: server.autoDisabled || isGivenUp,
    connectionState: isOff ? 'disconnected' : phase,
    ...(phase === 'connecting' && step && { step }),
    ...(reason && { reason: briefFailure(reason) }),
    consecutiveFailures: state.failureCount,
    retryState: {
      isRetrying: isRetrying || (phase === 'connecting' && state.isRetry),
      currentAttempt: state.attempt,
      ...(isRetrying && { nextRetryAt: dueAt }),
      backoffIntervals: plan.backoffIntervals,
    },
    ...(server.lastConnectedAt !== undefined && { lastConnectedAt: server.lastConnectedAt }),
    ...pick(state, 'lastConnectedAt', 'lastAttemptAt', 'lastFailureAt', 'autoDisabledAt'),
    ...pick(state, 'lastPingAt', 'pingLatency', 'toolCount'),
    ...(server.tools && knownTools && { toolCount: knownTools.size }),
  };
}

/** Whether a server may start; `trusted` also for one that may for this run only. */
export function trustOf(server: ServerConfig, trust: StartTrust): TrustVerdict {
  const mayStart = server.deploymentType === 'face' || trust.mayStart(server) === undefined;
  return mayStart ? 'trusted' : trust.verdict(server);
}

/** Describes a server of which nothing is known yet but its entry. */
export function idleSnapshot(server: ServerConfig, trust: StartTrust): ServerSnapshot {
  const state = initialLifecycleState(server, {});
  return takeSnapshot({ server, state, step: undefined }, { plan: defaultRetryPlan, trust });
}

/** Decides what may start. */
export type StartTrust = Pick<Trust, 'mayStart' | 'verdict'>;

function pick<K extends keyof LifecycleState>(
  state: LifecycleState,
  ...keys: K[]
): Pick<LifecycleState, K> {
  const present = keys.filter((key) => state[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, state[key]])) as Pick<LifecycleState, K>;
}
