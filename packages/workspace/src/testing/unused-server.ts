import type { ServerSnapshot } from '@errand/host';
import { localServer } from '@errand/host/testing';

/** The snapshot of a server that nobody has used yet. */
export const unusedServer: ServerSnapshot = {
  config: localServer('a'),
  trust: 'trusted',
  enabled: true,
  autoDisabled: false,
  connectionState: 'disconnected',
  consecutiveFailures: 0,
  retryState: { isRetrying: false, currentAttempt: 0, backoffIntervals: [1_000, 5_000, 15_000] },
};
