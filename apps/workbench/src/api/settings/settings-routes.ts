import { HostError, type Settings } from '@errand/host';
import { saveSettings } from '@errand/workspace/settings';
import { Hono } from 'hono';
import { z } from 'zod';
import type { ChangeSettings, SetSecret, WorkbenchEvent } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { listSecrets, readSettingsState, settingsState } from './settings-state.ts';

/** Everything below /api that is about settings and secrets. */
export function settingsRoutes(ports: WorkbenchPorts, feed: (event: WorkbenchEvent) => void): Hono {
  const { folder, secrets } = ports;
  const routes = new Hono();
  routes.get('/settings', async (context) =>
    context.json(await readSettingsState(ports, context.req.raw.signal)),
  );
  routes.patch('/settings', async (context) => {
    const change = await readBody(context, changeSchema);
    const save = (all: Settings) => ({ ...all, ...(change as ChangeSettings) });
    try {
      return context.json(
        settingsState(folder, await saveSettings(ports, save, context.req.raw.signal)),
      );
    } catch (error) {
      throw atField(error);
    }
  });
  routes.get('/secrets', async (context) => context.json(await listSecrets(ports)));
  routes.put('/secrets/:name', async (context) => {
    const name = secretName(context.req.param('name'));
    await secrets.set(name, (await readBody(context, secretSchema)).value);
    return context.json(await tellSecrets());
  });
  routes.delete('/secrets/:name', async (context) => {
    const name = context.req.param('name');
    if (!(await secrets.names()).includes(name)) {
      throw new ApiError('not_found', `There is no secret "${name}".`);
    }
    await secrets.set(name, undefined);
    return context.json(await tellSecrets());
  });
  return routes;

  async function tellSecrets() {
    const list = await listSecrets(ports);
    feed({ kind: 'secrets-changed', secrets: list });
    return list;
  }
}

function atField(error: unknown): unknown {
  if (!(error instanceof HostError) || error.facts.path === undefined) return error;
  const { path, detail: message = error.message } = error.facts;
  return new ApiError('invalid_input', message, { fields: { [path]: message } });
}

/** It must fit between the braces of a reference. */
function secretName(name: string): string {
  if (/^[\w.-]{1,100}$/.test(name)) return name;
  const message = 'A name has letters, digits, ".", "-" and "_", at most 100 of them.';
  throw new ApiError('invalid_input', message, { fields: { name: message } });
}

/** What the values may be is checked where they are stored. */
const value = z.unknown();
const changeSchema = z
  .strictObject({
    mcpGlobalTimeout: value,
    mcpConcurrentLimit: value,
    mcpSessionLimit: value,
    onError: value,
    attachmentsFolder: value,
    logParameters: value,
    logDays: value,
    logMegabytes: value,
  })
  .partial();
const secretSchema = z.strictObject({
  value: z.string().min(1, 'Nothing was given.'),
}) satisfies z.ZodType<SetSecret>;
