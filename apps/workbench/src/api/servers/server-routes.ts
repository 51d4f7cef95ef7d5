import type { ServerConfig } from '@errand/host';
import {
  addServers,
  changeServer,
  draftOf,
  findServerById,
  removeServer,
} from '@errand/workspace/servers';
import { Hono } from 'hono';
import { z } from 'zod';
import type { ServerDetails } from '../../contract.ts';
import { answer, done } from '../http/answer.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { draftSchema, entryOf } from './read-draft.ts';
import type { ServerMonitor } from './server-monitor.ts';

/** The routes of server entries and their state. */
export function serverRoutes(ports: WorkbenchPorts, monitor: ServerMonitor) {
  const { host } = ports;
  const find = (id: string) => findServerById(host, id);
  return new Hono()
    .get('/', (context) => answer(context, { servers: monitor.list() }))
    .post('/', validBody(addSchema), async (context) => {
      const { draft, disabled = false } = context.req.valid('json');
      const id = crypto.randomUUID();
      const make = (servers: readonly ServerConfig[]) => [entryOf(draft, { id, servers })];
      const added = await addServers(ports, make, { signal: context.req.raw.signal });
      monitor.publishTrust();
      if (!disabled) for (const entry of added) monitor.test(entry, { enables: true });
      return answer(context, monitor.describe(find(id)), 201);
    })
    .get('/:id', async (context) => {
      const server = find(context.req.param('id'));
      return answer(context, await detailsOf(server, ports, monitor));
    })
    .put('/:id', validBody(editSchema), async (context) => {
      const before = find(context.req.param('id'));
      const { draft, enables = false } = context.req.valid('json');
      const changed = await changeServer(
        ports,
        before.id,
        (now, servers) => entryOf(draft, { id: now.id, before: now, servers }),
        context.req.raw.signal,
      );
      monitor.publishTrust();
      if (changed?.isTrusted) monitor.test(changed.entry, { enables });
      return answer(context, monitor.describe(find(before.id)));
    })
    .delete('/:id', async (context) => {
      const { id } = find(context.req.param('id'));
      await removeServer(ports, id, context.req.raw.signal);
      return answer(context, done);
    })
    .post('/:id/enabled', validBody(z.strictObject({ enabled: z.boolean() })), async (context) => {
      const { id } = find(context.req.param('id'));
      const { enabled } = context.req.valid('json');
      await host.servers.setEnabled(id, enabled, context.req.raw.signal);
      return answer(context, monitor.describe(find(id)));
    })
    .post('/:id/try', (context) => {
      const server = find(context.req.param('id'));
      host.servers.tryNow(server.id);
      return answer(context, monitor.describe(server));
    })
    .post('/:id/test', (context) => {
      const server = find(context.req.param('id'));
      monitor.test(server);
      return answer(context, monitor.describe(server), 202);
    });
}

async function detailsOf(
  server: ServerConfig,
  { host, trust }: WorkbenchPorts,
  monitor: ServerMonitor,
): Promise<ServerDetails> {
  const { identity = null, lastOutput } = await host.servers.details(server.id);
  return {
    server: monitor.describe(server),
    draft: draftOf(server),
    does: trust.show(server).does,
    identity,
    lastWords: lastOutput,
  };
}

const addSchema = z.strictObject({
  draft: draftSchema,
  /** Stores it disabled and does not test it. */
  disabled: z.boolean().exactOptional(),
});
const editSchema = z.strictObject({
  draft: draftSchema,
  /** Enables it when the test succeeds, as after adding it. */
  enables: z.boolean().exactOptional(),
});
