import { briefFailure, type ServerSnapshot } from '@errand/host';

/** A server as command lines print it in JSON; these names are promised to scripts. */
export function serverJson(snapshot: ServerSnapshot) {
  const { config, retryState, reason } = snapshot;
  return {
    id: config.id,
    name: config.name,
    transport: config.transport,
    deploymentType: config.deploymentType,
    enabled: snapshot.enabled,
    autoDisabled: snapshot.autoDisabled,
    connectionState: snapshot.connectionState,
    tools: snapshot.toolCount ?? null,
    pingLatency: snapshot.pingLatency ?? null,
    lastConnectedAt: snapshot.lastConnectedAt ?? null,
    lastAttemptAt: snapshot.lastAttemptAt ?? null,
    lastFailureAt: snapshot.lastFailureAt ?? null,
    attempt: retryState.currentAttempt,
    nextRetryAt: retryState.nextRetryAt ?? null,
    autoDisabledAt: snapshot.autoDisabledAt ?? null,
    problem: reason === undefined ? null : briefFailure(reason),
  };
}
