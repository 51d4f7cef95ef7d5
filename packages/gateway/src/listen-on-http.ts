import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '@errand/host';
import type { Gateway } from './gateway.ts';
import { GatewayHandler, type HandlerOptions } from './gateway-handler.ts';
import { isLoopback } from './guard-request.ts';
import { sendStatus } from './http-reply.ts';
import { graceMs } from './shutdown.ts';

export interface ListenOptions extends HandlerOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; other machines are answered only with a token. */
  readonly host?: string;
  readonly signal?: AbortSignal;
}

/** A gateway that listens; disposing it ends its connections. */
export interface HttpListener extends AsyncDisposable {
  readonly url: string;
}

const path = '/mcp';

/** Offers a gateway over HTTP, by default to this machine only. */
export async function listenOnHttp(
  gateway: Gateway,
  { port = 0, host = '127.0.0.1', signal, ...options }: ListenOptions = {},
): Promise<HttpListener> {
  if (host !== 'localhost' && !isLoopback(host) && options.token === undefined) throw noToken(host);
  const handler = new GatewayHandler(gateway, options);
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] === path) handler.handle(request, response);
    else sendStatus(response, 404);
  });
  // Clients that think for a while between calls keep their connection.
  server.keepAliveTimeout = 60_000;
  try {
    server.listen({ port, host, signal });
    await once(server, 'listening');
  } catch (error) {
    await handler[Symbol.asyncDispose]();
    throw isPortTaken(error) ? portTaken(port) : error;
  }
  const { address, family, port: actual } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${name}:${actual}${path}`,
    [Symbol.asyncDispose]: async () => {
      await handler[Symbol.asyncDispose]();
      await close(server);
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

function noToken(host: string): HostError {
  return new HostError(
    'settings_invalid',
    `On ${host} the gateway could be used by other machines. Give it a token (leave out --no-token), or let it listen on 127.0.0.1.`,
  );
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function portTaken(port: number): HostError {
  return new HostError(
    'port_in_use',
    `Port ${port} is already in use. Choose another one, or end the program that listens there.`,
  );
}
