import type { ServerView } from '../forms/index.ts';

/** How a face sees a server that nobody has used yet. */
export const unusedServerView: ServerView = {
  id: 'a',
  name: 'a',
  transport: 'stdio',
  deploymentType: 'local',
  summary: 'runs a',
  enabled: true,
  autoDisabled: false,
  autoDisabledAt: null,
  trust: 'trusted',
  connectionState: 'disconnected',
  step: null,
  problem: null,
  tools: null,
  latencyMs: null,
  lastConnectedAt: null,
  lastAttemptAt: null,
  lastFailureAt: null,
  attempt: 0,
  attempts: 3,
  isRetrying: false,
  nextRetryAt: null,
};
