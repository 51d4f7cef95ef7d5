import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';
import type { RetryPlan, ServerState } from './server-state.ts';

/** How a server is, right now: what people and programs are shown. */
export interface ServerHealthStatus {
  readonly serverId: string;
  readonly connectionState: 'disconnected' | 'connecting' | 'connected' | 'error';
  readonly lastPingAt?: number;
  readonly pingLatency?: number;
  readonly consecutiveFailures: number;
  readonly retryState: {
    readonly isRetrying: boolean;
    readonly currentAttempt: number;
    readonly nextRetryAt?: number;
    readonly backoffIntervals: readonly number[];
  };
  readonly autoDisabledAt?: number;
  readonly lastConnectedAt?: number;
  readonly lastAttemptAt?: number;
  readonly lastFailureAt?: number;
  readonly toolCount?: number;
  /** Why it is not connected. */
  readonly reason?: ErrorInfo;
}

export function describeHealth(
  server: ServerConfig,
  state: ServerState,
  plan: RetryPlan,
): ServerHealthStatus {
  const { phase, reason, dueAt } = state;
  const isOff = phase === 'disabled' || phase === 'closed';
  const isRetrying = phase === 'error' && dueAt !== undefined;
  return {
    serverId: server.id,
    connectionState: isOff ? 'disconnected' : phase,
    consecutiveFailures: state.failureCount,
    retryState: {
      isRetrying: isRetrying || (phase === 'connecting' && state.isRetry),
      currentAttempt: state.attempt,
      ...(isRetrying && { nextRetryAt: dueAt }),
      backoffIntervals: plan.backoffIntervals,
    },
    ...pick(state, 'lastPingAt', 'pingLatency', 'autoDisabledAt'),
    ...pick(state, 'lastConnectedAt', 'lastAttemptAt', 'lastFailureAt', 'toolCount'),
    ...(reason && { reason: { code: reason.code, message: reason.message } }),
  };
}

function pick<K extends keyof ServerState>(state: ServerState, ...keys: K[]): Pick<ServerState, K> {
  const present = keys.filter((key) => state[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, state[key]])) as Pick<ServerState, K>;
}
