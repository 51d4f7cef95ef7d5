import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isSameUser } from './is-same-user.ts';

// Only once it runs: another user may not be able to read this checkout.
const becomeNobody = 'process.setgid(65534); process.setuid(65534);';
const ask = 'fetch(process.argv[1]).then((it) => it.text()).then(console.log)';

test.runIf(process.platform === 'linux')(
  'a program of this user is known by its connection',
  async () => {
    await using server = await serveVerdicts();
    expect(await server.verdictOn('')).toBe('true');
  },
);

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a program of another user is known by its connection',
  async () => {
    await using server = await serveVerdicts();
    expect(await server.verdictOn(becomeNobody)).toBe('false');
  },
);

test.runIf(process.platform === 'linux')(
  'the port of a connection that was closed, or of another address, is of no use',
  async () => {
    await using server = await serveVerdicts();
    const port = await server.closedPort();
    expect(await server.verdictFrom('127.0.0.2', port)).toBe('false');
  },
);

test('finds no user for an unknown connection', async () => {
  expect(await isSameUser({ clientAddress: '127.0.0.1', clientPort: 1, serverPort: 2 })).toBe(
    false,
  );
});

/** A server that tells each client whether it is of this user. */
async function serveVerdicts() {
  const server = createServer((asked, response) => {
    const { remoteAddress = '', remotePort = 0, localPort = 0 } = asked.socket;
    const ends = { clientAddress: remoteAddress, clientPort: remotePort, serverPort: localPort };
    void isSameUser(ends).then((verdict) => response.end(String(verdict)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    verdictOn: async (before: string) => {
      const args = ['-e', before + ask, url];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
      return stdout.trim();
    },
    /** A port of 127.0.0.1 whose connection to the server the client has closed. */
    closedPort: async () => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
      await once(socket, 'connect');
      const { localPort = 0 } = socket;
      socket.end();
      await once(socket, 'close');
      return localPort;
    },
    verdictFrom: async (localAddress: string, localPort: number) => {
      const [response] = (await once(
        request(url, { localAddress, localPort, agent: false }).end(),
        'response',
      )) as [IncomingMessage];
      return (await response.setEncoding('utf8').toArray()).join('');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
