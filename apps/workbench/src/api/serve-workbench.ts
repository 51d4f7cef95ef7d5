import type { IncomingMessage, ServerResponse } from 'node:http';
import { Gateway, GatewayHandler, gatewayHostFrom, noteScope } from '@errand/host/gateway';
import { getRequestListener } from '@hono/node-server';
import { createWorkbench } from './create-workbench.ts';
import { isOwnOrigin } from './http/guard.ts';
import { listen } from './listen.ts';
import type { WorkbenchPorts } from './workbench-ports.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Who knows it may use the workbench. Kept, it lets pages come back after a restart. */
  readonly token: string;
}

/** A workbench that listens; disposing it ends its connections and what runs for its pages. */
export interface ServedWorkbench extends AsyncDisposable {
  /** Opens the workbench in a browser. */
  readonly link: string;
  /** All servers as one, for other programs. */
  readonly gatewayUrl: string;
}

/** Serves the workbench, and the gateway beside it, to this machine. */
export async function serveWorkbench(
  ports: WorkbenchPorts,
  { port, token }: ServeOptions,
): Promise<ServedWorkbench> {
  let actual = port;
  const workbench = createWorkbench(ports, { token, port: () => actual });
  const info = { name: 'errand', version: ports.version };
  const gateway = new Gateway(gatewayHostFrom(ports.host), {
    info,
    scope: noteScope(ports),
    notifier: ports.desk,
  });
  const handler = new GatewayHandler(gateway);
  const answerPage = getRequestListener(workbench.fetch, { overrideGlobalObjects: false });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.split('?', 1)[0] !== '/mcp') void answerPage(request, response);
    else if (isOwnOrigin(request.headers.origin, request.headers.host)) {
      handler.handle(request, response);
    } else response.writeHead(403).end('Other web pages cannot use the gateway.');
  };
  const end = async () => {
    await handler[Symbol.asyncDispose]();
    gateway[Symbol.dispose]();
    await workbench[Symbol.asyncDispose]();
  };
  const listener = await listen(answer, { port }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  actual = listener.port;
  const address = `http://127.0.0.1:${actual}`;
  return {
    link: `${address}/open?token=${token}`,
    gatewayUrl: `${address}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await end();
      await listener[Symbol.asyncDispose]();
    },
  };
}
