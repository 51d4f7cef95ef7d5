import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer, listen, urlAt } from '@errand/wire/node';

const path = '/callback';

const page = `<!doctype html><meta charset="utf-8"><title>Errand</title>
<body style="font:1.2em system-ui;margin:4em"><p>Errand has what it needs. You can close this window.`;

/** Listens on this machine for the browser that comes back from a login. */
export class RedirectListener implements AsyncDisposable {
  /** Resolves with what the browser brought. */
  readonly callback: Promise<URLSearchParams>;
  readonly #server: Server;

  private constructor(server: Server, state: string) {
    this.#server = server;
    this.callback = new Promise((resolve) => {
      server.on('request', (request: IncomingMessage, response) => {
        // Not every text that HTTP takes for a path is one of an address.
        const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
        // Any page on any site can send a browser here; only ours knows the state.
        const isOurs = url?.pathname === path && url.searchParams.get('state') === state;
        response.writeHead(isOurs ? 200 : 400, {
          'content-type': 'text/html; charset=utf-8',
          connection: 'close',
        });
        response.end(isOurs ? page : 'This is not the login that Errand is waiting for.', () => {
          if (isOurs) resolve(url.searchParams);
        });
      });
    });
  }

  /** Listens on the wanted port, or on another when that is taken. */
  static async start(state: string, wantedPort = 0): Promise<RedirectListener> {
    const server = createServer();
    const listenOn = (port: number) => listen(server, { port, host: '127.0.0.1' }, () => {});
    await listenOn(wantedPort).catch(() => listenOn(0));
    return new RedirectListener(server, state);
  }

  get url(): string {
    return urlAt(this.#server.address() as AddressInfo, path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }
}
