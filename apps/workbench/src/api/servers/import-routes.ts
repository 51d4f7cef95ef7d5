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
import type { ImportServers, PastedServers, PastedText } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { findServer } from './find-server.ts';
import type { ServerDesk } from './server-desk.ts';

/** Servers pasted as another program's configuration. */
export function importRoutes(ports: WorkbenchPorts, desk: ServerDesk): Hono {
  const routes = new Hono();
  routes.post('/read', async (context) => {
    const { text } = await readBody(context, textSchema);
    const { servers, problems } = await readPasted(text, ports);
    const answer: PastedServers = {
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
    return context.json(answer);
  });
  routes.post('/import', async (context) => {
    const { text, names, disabled = false, plain = [] } = await readBody(context, importSchema);
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
    desk.tellTrust();
    for (const [index, entry] of entries.entries()) {
      // What is switched off there is not started here.
      const isOn = chosen[index]?.server.enabled === true;
      if (isOn && !disabled) desk.test(entry, { enables: true });
    }
    const stored = entries.map(({ id }) => desk.describe(findServer(ports.host, id)));
    return context.json({ servers: stored }, 201);
  });
  return routes;
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
const textSchema = z.strictObject({ text }) satisfies z.ZodType<PastedText>;
const importSchema = z.strictObject({
  text,
  names: z.array(z.string()).exactOptional(),
  disabled: z.boolean().exactOptional(),
  plain: z.array(z.string()).exactOptional(),
}) satisfies z.ZodType<ImportServers>;
