import { raceSignal } from '@errand/wire';
import type { HealthContribution, ServerParts } from './define-server.ts';
import type { Logger } from './logger.ts';
import { memoryPressure } from './memory-pressure.ts';
import type { ServerStatus } from './server-status.ts';

/** What a health report is made from. */
export interface HealthFacts {
  readonly status: ServerStatus;
  readonly transports: readonly { readonly type: string; readonly isActive: boolean }[];
  readonly tools: number;
  readonly metrics: HealthReport['metrics'];
  readonly own: HealthContribution;
}

export interface HealthReport {
  readonly status: 'healthy' | 'degraded';
  readonly components: {
    readonly server: ServerStatus;
    readonly transports: Readonly<Record<string, 'active' | 'inactive'>>;
    readonly tools: number;
    readonly memory: 'normal' | 'warning' | 'critical';
    readonly sessions: 'available' | 'full';
  };
  readonly metrics: {
    readonly memoryUsage: number;
    readonly memoryLimit: number;
    readonly activeSessions: number;
    readonly maxSessions: number;
    /** The share of the last calls that failed with an unexpected error. */
    readonly errorRate: number;
    /** In seconds. */
    readonly uptime: number;
  };
  readonly issues: readonly string[];
}

/** Builds the report; a server that cannot do everything it should is degraded. */
export function healthReport(facts: HealthFacts): HealthReport {
  const { memoryUsage, memoryLimit, activeSessions, maxSessions } = facts.metrics;
  const memory = memoryPressure(memoryUsage, memoryLimit);
  const sessions = activeSessions >= maxSessions ? 'full' : 'available';
  // The client on standard input may leave when it likes.
  const inactive = facts.transports.filter(({ type, isActive }) => !isActive && type !== 'stdio');
  const failures = [
    ...(facts.status === 'running' ? [] : [`The server is ${facts.status}.`]),
    ...inactive.map(({ type }) => `The transport ${type} does not work.`),
    ...(memory === 'critical'
      ? [`${memoryUsage} of ${memoryLimit} bytes of memory are used; new clients are refused.`]
      : []),
    ...(sessions === 'full'
      ? [`All ${maxSessions} sessions are taken; new ones are refused.`]
      : []),
    ...(facts.own.issues ?? []),
  ];
  const warnings =
    memory === 'warning' ? [`${memoryUsage} of ${memoryLimit} bytes of memory are used.`] : [];
  return {
    status: failures.length === 0 ? 'healthy' : 'degraded',
    components: {
      server: facts.status,
      transports: Object.fromEntries(
        facts.transports.map(({ type, isActive }) => [type, isActive ? 'active' : 'inactive']),
      ),
      tools: facts.tools,
      memory,
      sessions,
    },
    metrics: facts.metrics,
    issues: [...failures, ...warnings],
  };
}

/** How long the server's own health check may take, in milliseconds. */
const patience = 2_000;

/** Collects the server's own health; a failure or a timeout is itself an issue. */
export async function askHealth(
  parts: readonly NonNullable<ServerParts['health']>[],
  log: Logger,
): Promise<HealthContribution> {
  const signal = AbortSignal.timeout(patience);
  try {
    const answers = Promise.all(parts.map((health) => health(signal)));
    const all = await raceSignal(answers, signal);
    return {
      issues: all.flatMap(({ issues }) => issues ?? []),
      details: Object.assign({}, ...all.map(({ details }) => details)),
    };
  } catch (error) {
    log.error({ err: error }, 'the health check of the server failed');
    const reason = signal.aborted ? `took more than ${patience} ms` : 'failed; see the log';
    return { issues: [`The server's own health check ${reason}.`] };
  }
}
