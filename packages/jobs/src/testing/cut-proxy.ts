import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a database that can be cut as a network is: silently, or by an end of every connection. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string;
  /** From now on nothing passes, and nobody is told. */
  cut(): void;
  /** Ends every connection. */
  drop(): void;
  mend(): void;
}

/** Stands between a program and the database of a URL. */
export async function cutProxy(url: string): Promise<CutProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (isCut || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: proxied.href,
    cut() {
      isCut = true;
    },
    drop,
    mend() {
      // What was cut has lost bytes, so it can only end.
      drop();
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
