import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

test('a connection that is not there is nobody’s', async () => {
  expect(await isSameUser({ clientPort: 1, serverPort: 2 })).toBe(false);
});

/** A server that tells each client whether it is of this user. */
async function serveVerdicts() {
  const server = createServer((request, response) => {
    const { remotePort = 0, localPort = 0 } = request.socket;
    void isSameUser({ clientPort: remotePort, serverPort: localPort }).then((verdict) =>
      response.end(String(verdict)),
    );
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
