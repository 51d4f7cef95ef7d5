import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '@errand/host';

/** What a program that stays says of itself. */
export interface ProgramStatus {
  /** Why it can do no work at the moment; undefined when it can. */
  readonly problem: () => string | undefined;
  readonly facts: () => Readonly<Record<string, unknown>>;
}

/** Answers `/health` while the process lives, and `/ready` while it can work. */
export async function listenForStatus(
  { problem, facts }: ProgramStatus,
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string | undefined },
  routes: Readonly<Record<string, (response: ServerResponse) => void>> = {},
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const route = routes[path];
    if (route !== undefined) route(response);
    else if (path === '/health') answer(response, 200, { status: 'alive', ...facts() });
    else if (path === '/ready') {
      const found = problem();
      const state =
        found === undefined ? { status: 'ready' } : { status: 'not ready', problem: found };
      answer(response, found === undefined ? 200 : 503, { ...state, ...facts() });
    } else answer(response, 404, { error: 'not found' });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `The status cannot be offered on ${host}:${port} (${code}). Choose another port.`;
    throw new HostError('settings_invalid', message, {}, { cause: error });
  }
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(
  response: ServerResponse,
  status: number,
  body: Readonly<Record<string, unknown>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
