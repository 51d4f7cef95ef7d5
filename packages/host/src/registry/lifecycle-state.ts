import { adviceForCode } from '../advice.ts';
import type { HealthRecord } from '../health-store.ts';
import { HostError } from '../host-error.ts';
import type { Notice } from '../notifier.ts';
import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** The state of one server's state machine; only `nextLifecycleState` makes new ones. */
export interface LifecycleState {
  readonly phase: 'disabled' | 'disconnected' | 'connecting' | 'connected' | 'error' | 'closed';
  /** Counts connection attempts; whatever an earlier attempt still reports is stale. */
  readonly round: number;
  /** Failed retries of this cycle. Only a good health check brings it back to 0. */
  readonly attempt: number;
  /** Failed retries since the last connection. */
  readonly failureCount: number;
  /** The attempt under way, or the connection it made and no health check confirmed, is a retry. */
  readonly isRetry: boolean;
  /** The cycle began with the loss of a working connection, so calls wait for its end. */
  readonly isRecovering: boolean;
  /** The attempt under way looks whether a server that was given up works again. */
  readonly isProbe: boolean;
  readonly missedChecks: number;
  /** When the one timer of this server fires: the next retry, health check or probe. */
  readonly dueAt?: number;
  readonly checkStartedAt?: number;
  readonly toolCount?: number;
  readonly lastAttemptAt?: number;
  readonly lastConnectedAt?: number;
  readonly lastFailureAt?: number;
  readonly lastPingAt?: number;
  readonly pingLatency?: number;
  readonly autoDisabledAt?: number;
  readonly reason?: HostError;
}

export type LifecycleEvent =
  /** A call, or the start of all servers, needs this server. */
  | { readonly kind: 'used' }
  /** A person asked to connect now, whatever was planned. */
  | { readonly kind: 'try-now' }
  | { readonly kind: 'enabled' }
  | { readonly kind: 'disabled'; readonly reason: HostError }
  /** How to reach the server changed in the settings. */
  | { readonly kind: 'entry-changed' }
  /** The entry was removed, or the host is going away. */
  | { readonly kind: 'closed'; readonly reason: HostError }
  | { readonly kind: 'connect-done'; readonly round: number; readonly toolCount: number }
  | { readonly kind: 'connect-failed'; readonly round: number; readonly error: HostError }
  | { readonly kind: 'connection-lost'; readonly round: number; readonly error: HostError }
  | { readonly kind: 'timer-fired'; readonly round: number }
  | { readonly kind: 'health-good'; readonly round: number; readonly latency: number }
  /**
   * Busy: calls were running, and a server that works on them may not find time to answer. That is no
   * excuse when calls timed out since it last answered one.
   */
  | { readonly kind: 'health-missed'; readonly round: number; readonly isBusy: boolean }
  | { readonly kind: 'tools-changed'; readonly round: number; readonly toolCount: number };

export type LifecycleEffect =
  | { readonly kind: 'connect'; readonly round: number }
  /** Abandons the attempt under way; running calls finish before the connection is closed. */
  | { readonly kind: 'retire-connection' }
  /** Closes a connection that no longer works. */
  | { readonly kind: 'drop-connection' }
  | { readonly kind: 'check-health'; readonly round: number }
  | { readonly kind: 'fail-waiting'; readonly error: HostError }
  | { readonly kind: 'save'; readonly change: HealthChange }
  | { readonly kind: 'notify'; readonly notice: Notice }
  | { readonly kind: 'announce'; readonly event: ServerAnnouncement };

/** What changes in what this machine knows of the server; `autoDisabled: null` takes it back. */
export type HealthChange = Partial<Pick<HealthRecord, 'failureCount' | 'lastConnectedAt'>> & {
  readonly autoDisabled?: { readonly at: number; readonly reason: HostError } | null;
};

export type ServerAnnouncement = 'server-connected' | 'server-lost' | 'tools-changed';

/** The state after an event, and the effects to run. */
export interface LifecycleStep {
  readonly state: LifecycleState;
  readonly effects: readonly LifecycleEffect[];
}

/** The input of `nextLifecycleState` besides state and event. */
export interface LifecycleContext {
  readonly name: string;
  readonly isRemote: boolean;
  readonly now: number;
  /** Between 0 and 1. */
  readonly random: number;
  readonly plan: RetryPlan;
}

/** How long things take; tests shorten it. */
export interface RetryPlan {
  /** Waits before the first, second and third retry. */
  readonly backoffIntervals: readonly number[];
  /** At most this much is added for remote servers, so that many hosts do not return at once. */
  readonly remoteJitter: number;
  readonly healthInterval: number;
  readonly healthDeadline: number;
  /** A timer this late means that the machine slept. */
  readonly sleepThreshold: number;
  readonly connectDeadline: number;
  readonly containerConnectDeadline: number;
  /** For programs that may have to download a server first, such as `npx` and `uvx`. */
  readonly fetchingConnectDeadline: number;
  /** How often a server that was given up, but had worked here, is tried again. */
  readonly probeInterval: number;
}

export const defaultRetryPlan: RetryPlan = {
  backoffIntervals: [1_000, 5_000, 15_000],
  remoteJitter: 250,
  healthInterval: 30_000,
  healthDeadline: 5_000,
  sleepThreshold: 10_000,
  connectDeadline: 10_000,
  containerConnectDeadline: 30_000,
  fetchingConnectDeadline: 60_000,
  probeInterval: 300_000,
};

/** The state of a server that was just registered or read from the settings. */
export function initialLifecycleState(
  server: ServerConfig,
  known: HealthRecord = {},
): LifecycleState {
  const givenUp = server.autoDisabled ? known.autoDisabled : undefined;
  return {
    phase: server.enabled ? 'disconnected' : 'disabled',
    round: 0,
    attempt: 0,
    failureCount: server.failureCount,
    isRetry: false,
    isRecovering: false,
    isProbe: false,
    missedChecks: 0,
    ...(givenUp && {
      autoDisabledAt: givenUp.at,
      reason: remembered(givenUp.reason, server),
    }),
    ...(server.lastConnectedAt !== undefined && { lastConnectedAt: server.lastConnectedAt }),
  };
}

/** A failure of an earlier run, of which only code and message were kept. */
function remembered({ code, message }: ErrorInfo, { name }: ServerConfig): HostError {
  const facts = { server: name };
  return new HostError(code, message, facts, { advice: adviceForCode(code, facts) });
}

/** The state in another phase, with no timer running and no health check under way. */
export function inPhase(state: LifecycleState, phase: LifecycleState['phase']): LifecycleState {
  const { dueAt: _timer, checkStartedAt: _check, ...rest } = state;
  return { ...rest, phase };
}
