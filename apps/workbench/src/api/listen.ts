import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '@errand/host';

export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
}

/** A server on this machine's own address; disposing it ends its connections. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
}

const address = '127.0.0.1';

/** Answers requests from this machine. */
export async function listen(answer: RequestListener, { port }: ListenOptions): Promise<Listener> {
  const server = createServer(answer);
  server.keepAliveTimeout = 60_000;
  try {
    server.listen({ port, host: address });
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new HostError(
      'port_in_use',
      `Port ${port} is already in use. Choose another one with --port, or end the program that listens there.`,
    );
  }
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
