import type { Settings } from '@errand/host';
import { refusedSetting, type SettingsValues, saveSettings } from '@errand/workspace/settings';
import { Hono } from 'hono';
import { z } from 'zod';
import type { WorkbenchEvent } from '../../contract.ts';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { listSecrets, readSettingsState, settingsState } from './settings-state.ts';

/** The routes of settings and secrets. */
export function settingsRoutes(ports: WorkbenchPorts, feed: (event: WorkbenchEvent) => void) {
  const { secrets } = ports;
  return new Hono()
    .get('/settings', async (context) =>
      answer(context, await readSettingsState(ports, context.req.raw.signal)),
    )
    .patch('/settings', validBody(changeSchema), async (context) => {
      const change = context.req.valid('json');
      const save = (all: Settings) => ({ ...all, ...change });
      try {
        const saved = await saveSettings(ports, save, context.req.raw.signal);
        return answer(context, settingsState(ports, saved));
      } catch (error) {
        throw atField(error);
      }
    })
    .get('/secrets', async (context) => answer(context, await listSecrets(ports)))
    .put('/secrets/:name', validBody(secretSchema), async (context) => {
      const name = secretName(context.req.param('name'));
      await secrets.set(name, context.req.valid('json').value);
      return answer(context, await publishSecrets());
    })
    .delete('/secrets/:name', async (context) => {
      const name = context.req.param('name');
      if (!(await secrets.names()).includes(name)) {
        throw new ApiError('not_found', `There is no secret "${name}".`);
      }
      await secrets.set(name, undefined);
      return answer(context, await publishSecrets());
    });

  async function publishSecrets() {
    const list = await listSecrets(ports);
    feed({ kind: 'secrets-changed', secrets: list });
    return list;
  }
}

/** A setting that cannot be stored, as a mistake in the field of that name. */
function atField(error: unknown): unknown {
  const refused = refusedSetting(error);
  if (refused === undefined) return error;
  const { path, message } = refused;
  return new ApiError('invalid_input', message, { fields: { [path]: message } });
}

/** A name must fit between the braces of a reference. */
function secretName(name: string): string {
  if (/^[\w.-]{1,100}$/.test(name)) return name;
  const message = 'A name has letters, digits, ".", "-" and "_", at most 100 of them.';
  throw new ApiError('invalid_input', message, { fields: { name: message } });
}

/** A setting of any value: the settings' own schema checks it when it is stored. */
const setting = <Name extends keyof SettingsValues>() =>
  z.custom<SettingsValues[Name]>(() => true).exactOptional();
const changeSchema = z.strictObject({
  mcpGlobalTimeout: setting<'mcpGlobalTimeout'>(),
  mcpConcurrentLimit: setting<'mcpConcurrentLimit'>(),
  mcpSessionLimit: setting<'mcpSessionLimit'>(),
  connect: setting<'connect'>(),
  onError: setting<'onError'>(),
  attachmentsFolder: setting<'attachmentsFolder'>(),
  logParameters: setting<'logParameters'>(),
  logDays: setting<'logDays'>(),
  logMegabytes: setting<'logMegabytes'>(),
} satisfies Record<keyof SettingsValues, z.ZodType>);
const secretSchema = z.strictObject({ value: z.string().min(1, 'Nothing was given.') });
