import { Hono } from 'hono';
import { z } from 'zod';
import type { Agree } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { findServer } from './find-server.ts';
import type { ServerDesk } from './server-desk.ts';

/** What a vault would start on this machine, and a person's yes to it (D17). */
export function trustRoutes({ host, trust }: WorkbenchPorts, desk: ServerDesk): Hono {
  const routes = new Hono();
  routes.get('/', (context) => context.json(desk.trustState));
  routes.post('/', async (context) => {
    const { servers: agreed } = await readBody(context, agreeSchema);
    const { pending } = desk.trustState;
    for (const { id, seen } of agreed) {
      if (pending.some((server) => server.id === id && server.seen === seen)) continue;
      const message =
        'What this server would start is not what was shown. Look at it again before you agree.';
      throw new ApiError('conflict', message);
    }
    const servers = agreed.map(({ id }) => findServer(host, id));
    await trust.agree(servers);
    await host.hints.agree(servers);
    desk.tellTrust();
    for (const { id, enabled } of servers) {
      if (enabled) host.servers.tryNow(id);
      desk.tell(id);
    }
    return context.json(desk.trustState);
  });
  return routes;
}

const agreeSchema = z.strictObject({
  servers: z.array(z.strictObject({ id: z.string(), seen: z.string() })),
}) satisfies z.ZodType<Agree>;
