import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ListenAddress {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Stops listening when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Listens, and rejects with Node's error when that is not possible. Later errors, such as a connection that cannot be
 * accepted, go to `onError`: without it they would end the process.
 */
export async function listen(
  server: Server,
  address: ListenAddress,
  onError: (error: Error) => void,
): Promise<AddressInfo> {
  const listening = once(server, 'listening');
  server.listen(address);
  await listening;
  server.on('error', onError);
  return server.address() as AddressInfo;
}

/** Whether listening failed because another program listens there. */
export function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** The URL of a path on an address that is listened on. */
export function urlAt({ address, family, port }: AddressInfo, path: string): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`;
}

/**
 * Stops listening and ends the connections. Answers that are already written get `graceMs` milliseconds to leave,
 * after `endClients` has ended what is still under way.
 */
export async function closeServer(
  server: Server,
  graceMs = 0,
  endClients?: () => Promise<unknown>,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await endClients?.();
  if (graceMs === 0) server.closeAllConnections();
  else server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
