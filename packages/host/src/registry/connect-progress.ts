import type { ServerFeatures } from '../connection.ts';
import type { LifecycleState } from './lifecycle-state.ts';

/** How far a server is with connecting. */
export interface ConnectProgress {
  /** `off` for one that is disabled or was given up. */
  readonly phase: 'off' | 'idle' | 'starting' | 'retrying' | 'connected' | 'failed';
  /** A working connection was lost, and calls wait for its return. */
  readonly isRecovering: boolean;
  readonly isGivenUp: boolean;
  readonly lastAttemptAt?: number;
  /** What a connected server offers besides tools. */
  readonly features?: ServerFeatures;
}

/** Describes how far a server in this state is with connecting. */
export function progressOf(server: LifecycleState, features?: ServerFeatures): ConnectProgress {
  const { phase, isRetry, isRecovering, autoDisabledAt, lastAttemptAt } = server;
  return {
    phase: phase === 'connecting' && isRetry ? 'retrying' : phases[phase],
    isRecovering,
    isGivenUp: phase === 'disabled' && autoDisabledAt !== undefined,
    ...(lastAttemptAt !== undefined && { lastAttemptAt }),
    ...(phase === 'connected' && features && { features }),
  };
}

const phases = {
  disabled: 'off',
  closed: 'off',
  disconnected: 'idle',
  connecting: 'starting',
  connected: 'connected',
  error: 'failed',
} as const;
