import { createServer, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { fixedError, HostError, within } from '@errand/host';
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
  /** What is answered at other paths, without a token. */
  readonly routes?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

/** A gateway that listens; disposing it ends its connections. */
interface HttpListener extends AsyncDisposable {
  readonly url: string;
  /** Ends what is here of a session that was ended at another replica. */
  closeSession(name: string): void;
  /** Takes no new connections, and waits until what is under way is answered, but no longer than so many milliseconds. */
  drain(ms: number): Promise<void>;
}

const path = '/mcp';

/** Offers a gateway over HTTP, by default to this machine only. */
export async function listenOnHttp(
  gateway: Gateway,
  { port = 0, host = '127.0.0.1', signal, routes = {}, ...options }: ListenOptions = {},
): Promise<HttpListener> {
  if (
    host !== 'localhost' &&
    !isLoopback(host) &&
    options.token === undefined &&
    options.clients === undefined &&
    options.logins === undefined
  )
    throw noToken(host);
  const handler = new GatewayHandler(gateway, options);
  const server = createServer((request, response) => {
    const asked = request.url?.split('?', 1)[0] ?? '';
    if (asked === path) return handler.handle(request, response);
    const route = Object.hasOwn(routes, asked) ? routes[asked] : undefined;
    if (route === undefined) sendStatus(response, 404);
    else route(response);
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
    closeSession: (name) => handler.closeSession(name),
    async drain(ms) {
      // What the system has accepted already would be cut off; it is ours after the next round of the event loop.
      await setImmediate();
      await setImmediate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that waits for its client's next request would wait without end.
      const timer = setInterval(() => server.closeIdleConnections(), 20);
      await within(closed, ms);
      clearInterval(timer);
    },
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
