import { approveServers, findServerById } from '@errand/workspace/servers';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { ServerMonitor } from './server-monitor.ts';

/** The routes of trust: what a vault would start on this machine, and a person's approval of it (D17). */
export function trustRoutes({ host, trust }: WorkbenchPorts, monitor: ServerMonitor) {
  return new Hono()
    .get('/', (context) => answer(context, monitor.trustState))
    .post('/', validBody(agreeSchema), async (context) => {
      const { servers: agreed } = context.req.valid('json');
      const { pending } = monitor.trustState;
      for (const { id, seen } of agreed) {
        if (pending.some((server) => server.id === id && server.seen === seen)) continue;
        const message =
          'What this server would start is not what was shown. Look at it again before you agree.';
        throw new ApiError('conflict', message);
      }
      const servers = agreed.map(({ id }) => findServerById(host, id));
      await approveServers(
        { host, trust },
        servers.map((server) => trust.show(server)),
      );
      await host.hints.agree(servers);
      monitor.publishTrust();
      for (const { id } of servers) monitor.publish(id);
      return answer(context, monitor.trustState);
    });
}

const agreeSchema = z.strictObject({
  /** `seen` is that of the `PendingServer` that was shown. */
  servers: z.array(z.strictObject({ id: z.string(), seen: z.string() })).readonly(),
});
