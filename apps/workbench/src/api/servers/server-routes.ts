import { type ServerConfig, withoutServer } from '@errand/host';
import { addServers, changeServer, draftOf } from '@errand/workspace/servers';
import { saveSettings } from '@errand/workspace/settings';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AddServer, EditServer, ServerDetails, SetEnabled } from '../../contract.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { findServer } from './find-server.ts';
import { draftSchema, entryOf } from './read-draft.ts';
import type { ServerDesk } from './server-desk.ts';

/** Everything below /api/servers that is about entries and their state. */
export function serverRoutes(ports: WorkbenchPorts, desk: ServerDesk): Hono {
  const { host } = ports;
  const routes = new Hono();
  const find = (id: string) => findServer(host, id);
  routes.get('/', (context) => context.json({ servers: desk.list() }));
  routes.post('/', async (context) => {
    const { draft, disabled = false } = await readBody(context, addSchema);
    const id = crypto.randomUUID();
    const make = (servers: readonly ServerConfig[]) => [entryOf(draft, { id, servers })];
    const added = await addServers(ports, make, context.req.raw.signal);
    desk.tellTrust();
    if (!disabled) for (const entry of added) desk.test(entry, { enables: true });
    return context.json(desk.describe(find(id)), 201);
  });
  routes.get('/:id', (context) => {
    const server = find(context.req.param('id'));
    return context.json(detailsOf(server, ports, desk));
  });
  routes.put('/:id', async (context) => {
    const before = find(context.req.param('id'));
    const { draft, enables = false } = await readBody(context, editSchema);
    const changed = await changeServer(
      ports,
      before.id,
      (now, servers) => entryOf(draft, { id: now.id, before: now, servers }),
      context.req.raw.signal,
    );
    desk.tellTrust();
    if (changed?.isTrusted) desk.test(changed.entry, { enables });
    return context.json(desk.describe(find(before.id)));
  });
  routes.delete('/:id', async (context) => {
    const { id } = find(context.req.param('id'));
    await saveSettings(ports, (all) => withoutServer(all, id), context.req.raw.signal);
    return context.json(done);
  });
  routes.post('/:id/enabled', async (context) => {
    const { id } = find(context.req.param('id'));
    const { enabled } = await readBody(context, enabledSchema);
    await host.servers.setEnabled(id, enabled, context.req.raw.signal);
    return context.json(desk.describe(find(id)));
  });
  routes.post('/:id/try', (context) => {
    const server = find(context.req.param('id'));
    host.servers.tryNow(server.id);
    return context.json(desk.describe(server));
  });
  routes.post('/:id/test', (context) => {
    const server = find(context.req.param('id'));
    desk.test(server);
    return context.json(desk.describe(server), 202);
  });
  return routes;
}

function detailsOf(
  server: ServerConfig,
  { host, trust }: WorkbenchPorts,
  desk: ServerDesk,
): ServerDetails {
  const { live, state } = host.servers.runner(server.id);
  const lastWords = live?.connection.lastOutput() ?? state.reason?.facts.lastOutput ?? '';
  return {
    server: desk.describe(server),
    draft: draftOf(server),
    does: trust.show(server).does,
    identity: live?.connection.server ?? null,
    lastWords,
  };
}

const addSchema = z.strictObject({
  draft: draftSchema,
  disabled: z.boolean().exactOptional(),
}) satisfies z.ZodType<AddServer>;
const editSchema = z.strictObject({
  draft: draftSchema,
  enables: z.boolean().exactOptional(),
}) satisfies z.ZodType<EditServer>;
const enabledSchema = z.strictObject({ enabled: z.boolean() }) satisfies z.ZodType<SetEnabled>;
