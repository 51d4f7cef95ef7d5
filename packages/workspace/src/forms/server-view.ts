import type { Host, ServerConfig, Trust } from '@errand/host';
import { describeLaunch } from '@errand/host';

/** How a server is, for those who show it. Times are milliseconds since 1970. */
export interface ServerView {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly deploymentType: 'local' | 'managed' | 'external';
  /** The first line of what it does: `runs npx -y …`, `connects to https://…`. */
  readonly summary: string;
  readonly enabled: boolean;
  /** Switched off after repeated failures. */
  readonly autoDisabled: boolean;
  readonly autoDisabledAt: number | null;
  readonly trust: 'trusted' | 'new' | 'changed';
  readonly connectionState: 'disconnected' | 'connecting' | 'connected' | 'error';
  /** What a server that is being connected waits for. */
  readonly step: { readonly name: string; readonly detail?: string } | null;
  /** Why it is not connected. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly tools: number | null;
  readonly latencyMs: number | null;
  readonly lastConnectedAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly lastFailureAt: number | null;
  /** Failed retries so far, of `attempts`. */
  readonly attempt: number;
  readonly attempts: number;
  readonly isRetrying: boolean;
  /** Count down to it. */
  readonly nextRetryAt: number | null;
}

/** How a server is right now; `step` is what it waits for while it is being connected. */
export function viewServer(
  server: ServerConfig,
  {
    host,
    trust,
  }: { readonly host: Pick<Host, 'servers'>; readonly trust: Pick<Trust, 'mayStart' | 'verdict'> },
  step: ServerView['step'] = null,
): ServerView {
  const health = host.servers.health(server.id);
  const { retryState, reason } = health;
  const { id, name, transport, deploymentType } = server;
  // A server that was just given up is off, although that is not written down yet.
  const isGivenUp = server.enabled && host.servers.runner(id).state.phase === 'disabled';
  const isConnecting = health.connectionState === 'connecting';
  return {
    id,
    name,
    transport,
    deploymentType,
    summary: describeLaunch(server)[0] ?? '',
    enabled: server.enabled && !isGivenUp,
    autoDisabled: server.autoDisabled || isGivenUp,
    autoDisabledAt: health.autoDisabledAt ?? null,
    trust: trust.mayStart(server) === undefined ? 'trusted' : trust.verdict(server),
    connectionState: health.connectionState,
    step: isConnecting ? step : null,
    problem: reason ? { code: reason.code, message: reason.message } : null,
    tools: health.toolCount ?? null,
    latencyMs: health.pingLatency ?? null,
    lastConnectedAt: health.lastConnectedAt ?? server.lastConnectedAt ?? null,
    lastAttemptAt: health.lastAttemptAt ?? null,
    lastFailureAt: health.lastFailureAt ?? null,
    attempt: retryState.currentAttempt,
    attempts: retryState.backoffIntervals.length,
    isRetrying: retryState.isRetrying,
    nextRetryAt: retryState.nextRetryAt ?? null,
  };
}
