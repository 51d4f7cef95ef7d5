import * as z from 'zod';
import type { ClientSession } from './client-session.ts';
import { defineTool, type ToolDefinition } from './define-tool.ts';
import type { HealthReport } from './health-report.ts';
import type { ServerReport } from './server-report.ts';

export const healthCheckName = 'health_check';

/** A health report with what the server itself adds. */
export interface CheckedHealth {
  readonly report: HealthReport;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status: ServerReport;
}

/** The `health_check` tool of every server, with the facts that the server itself adds. */
export function healthCheckTool(check: () => Promise<CheckedHealth>): ToolDefinition {
  return defineTool({
    name: healthCheckName,
    title: 'Health check',
    description: 'Tells whether this server works as it should, and what is wrong if not.',
    input: z.object({
      verbose: z
        .boolean()
        .default(false)
        .describe('With capabilities, transports, sessions, tools and their last errors'),
    }),
    output: z.looseObject({
      status: z.enum(['healthy', 'degraded']),
      issues: z.array(z.string()),
      uptime: z.number().describe('Seconds since the server started'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async handler({ verbose }, { session }) {
      const { report, details, status: server } = await check();
      const { status, issues, metrics } = report;
      const short = { ...details, status, issues: [...issues], uptime: metrics.uptime };
      return verbose ? { ...short, metrics, server: shownServer(server, session) } : short;
    },
  });
}

/** The whole status of a server in the words of answers. Who knows a session's id can take it over, so others get its beginning. */
function shownServer(server: ServerReport, { sessionId: own }: ClientSession) {
  return {
    id: server.id,
    name: server.name,
    version: server.version,
    status: server.status,
    start_time: server.startTime,
    capabilities: server.capabilities,
    transports: server.transports.map(({ type, isActive, configuration, lastError }) => ({
      type,
      is_active: isActive,
      configuration,
      last_error: lastError?.message ?? null,
    })),
    sessions: [...server.sessions, ...server.failedSessions].map((session) => ({
      session_id: session.sessionId === own ? own : `${session.sessionId.slice(0, 8)}…`,
      transport: session.transport,
      status: session.status,
      connection_time: session.connectionTime,
      last_activity: session.lastActivity,
      last_error: session.lastError ?? null,
    })),
    tools: server.tools.map(({ name, metadata, registrationTime }) => ({
      name,
      metadata,
      registration_time: registrationTime,
    })),
  };
}
