import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineEnv, managedConnector, scriptedContainer, testEngine } from '../testing/docker.ts';
import { EngineRefusal } from './engine-refusal.ts';

const signal = AbortSignal.timeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'errand-tls-'));
const file = (name: string) => join(folder, name);
beforeAll(() => {
  // One certificate for both sides, which is its own authority.
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('key.pem')];
  const names = ['-subj', '/CN=errand', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const out = ['-days', '2', '-out', file('cert.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...out], { stdio: 'ignore' });
  execFileSync('cp', [file('cert.pem'), file('ca.pem')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('keeps the message of an engine that refuses', async () => {
  const asked = testEngine().ask({ method: 'GET', path: '/containers/no-such-container/json' });
  await expect(asked).rejects.toThrow(EngineRefusal);
  await expect(asked).rejects.toMatchObject({
    status: 404,
    message: 'No such container: no-such-container',
  });
});

test('reaches an engine over TCP', async () => {
  await using relay = await relayTo(createServer());
  await expectToWork({ DOCKER_HOST: `tcp://127.0.0.1:${relay.port}` });
});

test('reaches an engine over TLS, each showing the other its certificate', async () => {
  const [key, cert] = [readFileSync(file('key.pem')), readFileSync(file('cert.pem'))];
  const strict = { requestCert: true, rejectUnauthorized: true };
  await using relay = await relayTo(
    createTlsServer({ key, cert, ca: cert, ...strict }),
    'secureConnection',
  );
  const DOCKER_HOST = `tcp://127.0.0.1:${relay.port}`;
  await expectToWork({ DOCKER_HOST, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: folder });
  const stranger = managedConnector({ DOCKER_HOST, DOCKER_TLS_VERIFY: '1', HOME: '/nowhere' });
  await expect(stranger.connect(scriptedContainer(), { signal })).rejects.toMatchObject({
    code: 'docker_unavailable',
  });
});

test('says how to get at a socket that is not ours', async () => {
  const server = createServer().listen(file('docker.sock'));
  chmodSync(file('docker.sock'), 0o000);
  const script = `
    import { EngineClient } from ${JSON.stringify(import.meta.resolve('./engine-client.ts'))};
    const address = { name: 'unix://x', socketPath: ${JSON.stringify(file('docker.sock'))} };
    await new EngineClient(address).ask({ method: 'GET', path: '/info' }).catch((error) => {
      console.log(error.code, error.message);
    });`;
  // The superuser may open every socket; the same user in a namespace of its own has only an owner's rights.
  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
  const [program = '', ...args] = [
    ...(process.getuid?.() === 0 ? prefix : []),
    ...[process.execPath, '--input-type=module', '-e', script],
  ];
  const said = execFileSync(program, args, { timeout: 30_000 });
  expect(said.toString()).toMatch(
    /^docker_unavailable You may not use the Docker engine at unix:\/\/x\. Join the group/,
  );
  server.close();
});

async function expectToWork(env: NodeJS.ProcessEnv): Promise<void> {
  await using connection = await managedConnector(env).connect(scriptedContainer(), { signal });
  const call = { tool: 'echo', arguments: { text: 'from afar' } };
  const { content } = await connection.callTool(call, { signal });
  expect(content).toEqual([{ type: 'text', text: 'from afar' }]);
}

/** Passes every connection on to the engine's socket. */
async function relayTo(server: Server, event = 'connection') {
  const socketPath = engineEnv.DOCKER_HOST.replace('unix://', '');
  server.on('tlsClientError', () => undefined);
  const pass = (socket: Socket) => {
    const engine = connect(socketPath);
    for (const each of [socket, engine]) each.on('error', () => undefined);
    socket.pipe(engine).pipe(socket);
  };
  server.on(event, pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
