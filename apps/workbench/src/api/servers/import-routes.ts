import { planImport, readImportable, storeImport } from '@errand/workspace/servers';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import type { ServerMonitor } from './server-monitor.ts';

/** The routes that read and import servers from another program's configuration. */
export function importRoutes(ports: WorkbenchPorts, monitor: ServerMonitor) {
  const read = (text: string) => readImportable(text, { os: process.platform }, ports);
  return new Hono()
    .post('/read', validBody(z.strictObject({ text })), async (context) => {
      const { servers, problems } = await read(context.req.valid('json').text);
      const described = servers.map(
        ({ entry, origins, does, notes, advice, secretFields, sameAs }) => ({
          name: entry.name,
          originalName: origins[0]?.name ?? entry.name,
          program: origins[0]?.program ?? 'pasted',
          does,
          notes: [...(sameAs === undefined ? [] : [`Already here, as "${sameAs}".`]), ...notes],
          advice,
          secrets: secretFields,
        }),
      );
      return answer(context, { servers: described, problems });
    })
    .post('/import', validBody(importSchema), async (context) => {
      const { text, names, disabled = false, plain = [] } = context.req.valid('json');
      const { servers } = await read(text);
      const chosen = servers.filter(({ entry }) => names?.includes(entry.name) ?? true);
      if (chosen.length === 0) {
        throw new ApiError('invalid_input', 'None of these servers is in the text. Read it again.');
      }
      const planned = await planImport(chosen, ports, ({ entry }) => plain.includes(entry.name));
      await storeImport(planned, ports, { signal: context.req.raw.signal });
      monitor.publishTrust();
      for (const [index, { entry }] of planned.entries()) {
        // A server that is disabled in the other program is not started here.
        if (chosen[index]?.isEnabledThere && !disabled) monitor.test(entry, { enables: true });
      }
      const stored = planned.map(({ entry }) => monitor.describe(entry));
      return answer(context, { servers: stored }, 201);
    });
}

const text = z.string().max(1_000_000, 'This is too long to be a configuration.');

const importSchema = z.strictObject({
  text,
  /** The names, as `/read` answers them; without it all. */
  names: z.array(z.string()).readonly().exactOptional(),
  disabled: z.boolean().exactOptional(),
  /** The names of those whose secrets stay in the settings as plain text. */
  plain: z.array(z.string()).readonly().exactOptional(),
});
