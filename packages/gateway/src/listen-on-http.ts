import { createServer } from 'node:http';
import { fixedError, HostError } from '@errand/host';
import { closeServer, isLoopback, isPortTaken, listen, sendStatus, urlAt } from '@errand/wire/node';
import type { Gateway } from './gateway.ts';
import { GatewayHandler, type HandlerOptions } from './gateway-handler.ts';
import { graceMs } from './shutdown.ts';

export interface ListenOptions extends HandlerOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; other machines are answered only with a token. */
  readonly host?: string;
  readonly signal?: AbortSignal;
}

/** A gateway that listens; disposing it ends its connections. */
interface HttpListener extends AsyncDisposable {
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
  const onError = (error: Error) =>
    gateway.notifier.notify({
      level: 'warning',
      message: 'The gateway could not accept a connection.',
      detail: error.message,
    });
  let url: string;
  try {
    url = urlAt(await listen(server, { port, host, signal }, onError), path);
  } catch (error) {
    await handler[Symbol.asyncDispose]();
    throw isPortTaken(error) ? portTaken(port) : error;
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await handler[Symbol.asyncDispose]();
      await closeServer(server, graceMs);
    },
  };
}

function noToken(host: string): HostError {
  return new HostError(
    'settings_invalid',
    `On ${host} the gateway could be used by other machines, and has no token.`,
    {},
    { advice: [{ kind: 'protect-gateway' }] },
  );
}

function portTaken(port: number): HostError {
  const detail = 'Choose another one, or end the program that listens there.';
  return fixedError('port_in_use', { port, detail });
}
