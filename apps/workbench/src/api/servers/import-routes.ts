import {
  type ForeignConfig,
  newServer,
  readForeignConfig,
  type ServerConfig,
  takeSecrets,
} from '@errand/host';
import { addServers, storeSecretsOf } from '@errand/workspace/servers';
import { Hono } from 'hono';
import { z } from 'zod';
import type { PastedServers } from '../../contract.ts';
import { answer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import { validBody } from '../http/validate.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { findServer } from './find-server.ts';
import type { ServerMonitor } from './server-monitor.ts';

/** The routes that read and import servers from another program's configuration. */
export function importRoutes(ports: WorkbenchPorts, monitor: ServerMonitor) {
  return new Hono()
    .post('/read', validBody(z.strictObject({ text })), async (context) => {
      const { text } = context.req.valid('json');
      const { servers, problems } = await readPasted(text, ports);
      const pasted: PastedServers = {
        servers: servers.map(({ server, origin, notes, advice }) => {
          const taken = takeSecrets(server, []);
          return {
            name: server.name,
            originalName: origin.name,
            program: origin.program,
            does: ports.trust.show(taken.server).does,
            notes,
            advice,
            secrets: taken.secrets.map(({ field }) => field),
          };
        }),
        problems,
      };
      return answer(context, pasted);
    })
    .post('/import', validBody(importSchema), async (context) => {
      const { text, names, disabled = false, plain = [] } = context.req.valid('json');
      const { servers } = await readPasted(text, ports);
      const chosen = servers.filter(({ server }) => names?.includes(server.name) ?? true);
      if (chosen.length === 0) {
        throw new ApiError('invalid_input', 'None of these servers is in the text. Read it again.');
      }
      const entries: ServerConfig[] = [];
      for (const { server } of chosen) {
        const isPlain = plain.includes(server.name);
        const kept = isPlain ? server : await storeSecretsOf(server, ports.secrets);
        entries.push(newServer(kept, server.id));
      }
      await addServers(ports, () => entries, context.req.raw.signal);
      monitor.publishTrust();
      for (const [index, entry] of entries.entries()) {
        // What is switched off there is not started here.
        const isOn = chosen[index]?.server.enabled === true;
        if (isOn && !disabled) monitor.test(entry, { enables: true });
      }
      const stored = entries.map(({ id }) => monitor.describe(findServer(ports.host, id)));
      return answer(context, { servers: stored }, 201);
    });
}

async function readPasted(
  text: string,
  { folder, host, secrets }: WorkbenchPorts,
): Promise<ForeignConfig> {
  const source = { file: 'The pasted text' };
  return readForeignConfig(text, source, {
    os: process.platform,
    vaultFolder: folder,
    takenNames: host.servers.list().map(({ name }) => name),
    takenSecrets: await secrets.names(),
  });
}

const text = z.string().max(1_000_000, 'This is too long to be a configuration.');
const importSchema = z.strictObject({
  text,
  /** Names of `PastedServer`; without it all. */
  names: z.array(z.string()).readonly().exactOptional(),
  disabled: z.boolean().exactOptional(),
  /** The names of those whose secrets stay in the settings as plain text. */
  plain: z.array(z.string()).readonly().exactOptional(),
});
