import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Gateway, GatewayHandler, gatewayHostFrom, noteScope } from '@errand/gateway';
import { HostError } from '@errand/host';
import { closeServer, isPortTaken, listen } from '@errand/wire/node';
import { getRequestListener } from '@hono/node-server';
import { createWorkbench } from './create-workbench.ts';
import { type Guard, isOwnOrigin, openingLink, originOf } from './http/guard.ts';
import { type CodeLimits, OpeningCodes } from './http/opening-codes.ts';
import type { WorkbenchPorts } from './workbench-ports.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** What other programs present to the gateway; without one it answers every program of this machine. */
  readonly gatewayToken?: string;
}

/** A workbench that listens; disposing it ends its connections and what runs for its pages. */
export interface ServedWorkbench extends AsyncDisposable {
  /** A link that opens the workbench in one browser, once. */
  newLink(limits?: CodeLimits): string;
  /** All servers as one, for other programs. */
  readonly gatewayUrl: string;
}

/** Serves the workbench, and the gateway beside it, to this machine. */
export async function serveWorkbench(
  ports: WorkbenchPorts,
  { port, gatewayToken }: ServeOptions,
): Promise<ServedWorkbench> {
  let actual = port;
  const token = randomBytes(32).toString('base64url');
  const guard: Guard = { token, port: () => actual, codes: new OpeningCodes() };
  const workbench = createWorkbench(ports, guard, gatewayToken);
  const info = { name: 'errand', version: ports.version };
  const gateway = new Gateway(gatewayHostFrom(ports.host), {
    info,
    scope: noteScope(ports),
    notifier: ports.pageNotifier,
  });
  const handler = new GatewayHandler(gateway, {
    ...(gatewayToken !== undefined && { token: gatewayToken }),
  });
  const answerPage = getRequestListener(workbench.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/mcp') void answerPage(request, response);
    else if (isOwnOrigin(request.headers.origin, request.headers.host)) {
      handler.handle(request, response);
    } else response.writeHead(403).end('Other web pages cannot use the gateway.');
  });
  server.keepAliveTimeout = 60_000;
  const end = async () => {
    await handler[Symbol.asyncDispose]();
    gateway[Symbol.dispose]();
    await workbench[Symbol.asyncDispose]();
  };
  const onError = (error: Error) =>
    ports.pageNotifier.notify({
      level: 'warning',
      message: 'The workbench could not accept a connection.',
      detail: error.message,
    });
  try {
    actual = (await listen(server, { port, host: '127.0.0.1' }, onError)).port;
  } catch (error) {
    await end();
    throw isPortTaken(error) ? portTaken(port) : error;
  }
  return {
    newLink: (limits) => openingLink(guard, limits),
    gatewayUrl: `${originOf(guard)}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await end();
      await closeServer(server);
    },
  };
}

function portTaken(port: number): HostError {
  return new HostError(
    'port_in_use',
    `Port ${port} is already in use. Choose another one with --port, or end the program that listens there.`,
  );
}
