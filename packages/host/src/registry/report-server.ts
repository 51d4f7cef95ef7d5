import type { Host } from '../create-host.ts';
import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** A server as command lines print it in JSON. Times are milliseconds since 1970. */
export interface ServerReport
  extends Pick<
    ServerConfig,
    'id' | 'name' | 'transport' | 'deploymentType' | 'enabled' | 'autoDisabled'
  > {
  readonly connectionState: ReturnType<Host['servers']['health']>['connectionState'];
  readonly tools: number | null;
  readonly pingLatency: number | null;
  readonly lastConnectedAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastFailureAt: number | null;
  readonly attempt: number;
  readonly nextRetryAt: number | null;
  readonly autoDisabledAt: number | null;
  readonly problem: Pick<ErrorInfo, 'code' | 'message'> | null;
}

/** Says how a server is right now. */
export function reportServer(host: Pick<Host, 'servers'>, server: ServerConfig): ServerReport {
  const health = host.servers.health(server.id);
  return {
    id: server.id,
    name: server.name,
    transport: server.transport,
    deploymentType: server.deploymentType,
    enabled: server.enabled,
    autoDisabled: server.autoDisabled,
    connectionState: health.connectionState,
    tools: health.toolCount ?? null,
    pingLatency: health.pingLatency ?? null,
    lastConnectedAt: health.lastConnectedAt ?? server.lastConnectedAt ?? null,
    lastAttemptAt: health.lastAttemptAt ?? null,
    lastFailureAt: health.lastFailureAt ?? null,
    attempt: health.retryState.currentAttempt,
    nextRetryAt: health.retryState.nextRetryAt ?? null,
    autoDisabledAt: health.autoDisabledAt ?? null,
    problem: health.reason ? { code: health.reason.code, message: health.reason.message } : null,
  };
}
