import * as z from 'zod';
import { defineTool, type ToolDefinition } from './define-tool.ts';
import type { HealthReport } from './health-report.ts';

export const healthCheckName = 'health_check';

/** A health report with what the server itself adds. */
export interface CheckedHealth {
  readonly report: HealthReport;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The `health_check` tool of every server, with the facts that the server itself adds. */
export function healthCheckTool(check: () => Promise<CheckedHealth>): ToolDefinition {
  return defineTool({
    name: healthCheckName,
    title: 'Health check',
    description: 'Tells whether this server works as it should, and what is wrong if not.',
    input: z.object({}),
    output: z.looseObject({
      status: z.enum(['healthy', 'degraded']),
      issues: z.array(z.string()),
      uptime: z.number().describe('Seconds since the server started'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    async handler() {
      const { report, details } = await check();
      const { status, issues, metrics } = report;
      return { ...details, status, issues: [...issues], uptime: metrics.uptime };
    },
  });
}
