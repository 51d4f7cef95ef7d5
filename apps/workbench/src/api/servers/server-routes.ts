import { newServer, type ServerConfig, withoutServer, withServer } from '@errand/host';
import { entryFrom, formOf } from '@errand/workspace/forms';
import { changeServer } from '@errand/workspace/servers';
import { saveSettings } from '@errand/workspace/settings';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AddServer, EditServer, ServerDetails, SetEnabled } from '../../contract.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { findServer } from './find-server.ts';
import type { ServerDesk } from './server-desk.ts';
import { serverFormSchema } from './server-form.ts';
import { explainAtField } from './store-server.ts';

/** Everything below /api/servers that is about entries and their state. */
export function serverRoutes(ports: WorkbenchPorts, desk: ServerDesk): Hono {
  const { host, trust } = ports;
  const routes = new Hono();
  const find = (id: string) => findServer(host, id);
  routes.get('/', (context) => context.json({ servers: desk.list() }));
  routes.post('/', async (context) => {
    const { server: form, disabled = false } = await readBody(context, addSchema);
    const entry = await explainAtField(form, async () => {
      const made = newServer(entryFrom(form), crypto.randomUUID());
      await saveSettings(ports, (all) => withServer(all, made), context.req.raw.signal);
      return made;
    });
    // Made by a person on this machine: that is the agreement.
    await trust.agree([entry]);
    desk.tellTrust();
    if (!disabled) desk.test(entry, { enables: true });
    return context.json(desk.describe(find(entry.id)), 201);
  });
  routes.get('/:id', (context) => {
    const server = find(context.req.param('id'));
    return context.json(detailsOf(server, ports, desk));
  });
  routes.put('/:id', async (context) => {
    const before = find(context.req.param('id'));
    const { server: form, enables = false } = await readBody(context, editSchema);
    const { signal } = context.req.raw;
    const changed = await explainAtField(form, () =>
      changeServer(
        ports,
        before.id,
        (now) => ({ ...newServer(entryFrom(form, now), now.id), enabled: now.enabled }),
        signal,
      ),
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
  const lastWords = live?.connection.lastWords() ?? state.reason?.facts.lastWords ?? '';
  return {
    server: desk.describe(server),
    form: formOf(server),
    does: trust.show(server).does,
    identity: live?.connection.server ?? null,
    lastWords,
  };
}

const addSchema = z.strictObject({
  server: serverFormSchema,
  disabled: z.boolean().exactOptional(),
}) satisfies z.ZodType<AddServer>;
const editSchema = z.strictObject({
  server: serverFormSchema,
  enables: z.boolean().exactOptional(),
}) satisfies z.ZodType<EditServer>;
const enabledSchema = z.strictObject({ enabled: z.boolean() }) satisfies z.ZodType<SetEnabled>;
