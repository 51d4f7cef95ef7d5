import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { ConnectOptions, ConnectStep, ServerConfig } from '@errand/host';
import { expect, test } from 'vitest';
import {
  containersOf,
  managedConnector,
  managedServer,
  scriptedContainer,
  testEngine,
  testImage,
} from '../testing/docker.ts';

const signal = AbortSignal.timeout(120_000);

function connecting(server: ServerConfig, options: ConnectOptions = { signal }) {
  return managedConnector().connect(server, options);
}

test('says with exit code and last lines that a container ended at once', async () => {
  const lines = Array.from({ length: 30 }, (_, number) => `line ${number + 1}`);
  const server = scriptedContainer({ onStart: 'exit', stderr: `${lines.join('\n')}\n` });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'container_exited',
    message: expect.stringContaining('exited with code 3'),
    facts: { server: 'boxed', exitCode: 3, lastOutput: lines.slice(-20).join('\n') },
  });
  expect(await containersOf(server)).toEqual([]);
});

test('says so too when the server should have listened on a port', async () => {
  const server = managedServer(
    {
      command: ['node', '-e', 'console.log("no licence"); process.exit(4)'],
      ports: { '8080': 0 },
    },
    { transport: 'http' },
  );
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'container_exited',
    facts: { exitCode: 4, lastOutput: 'no licence' },
  });
  expect(await containersOf(server)).toEqual([]);
});

test('says what a container wrote to standard output instead of MCP', async () => {
  const server = managedServer({ command: ['node', '-e', 'console.log("usage: serve")'] });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'container_exited',
    facts: { exitCode: 0, lastOutput: expect.stringContaining('usage: serve') },
  });
});

test('names a program that the image does not have', async () => {
  const server = managedServer({ command: ['serve-weather'] });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'container_exited',
    message: expect.stringContaining('no program "serve-weather"'),
  });
  expect(await containersOf(server)).toEqual([]);
});

test('names a folder that cannot be mounted', async () => {
  const server = managedServer({ mounts: [{ source: 'no/such/folder', target: '/data' }] });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringMatching(/no folder .+no\/such\/folder to mount/),
    facts: { path: 'dockerConfig.mounts' },
  });
});

test('says that memory ran out, and what the limit is', async () => {
  const eat = 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))';
  const server = managedServer({ command: ['node', '-e', eat], memory: '48m' });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'container_exited',
    message: expect.stringContaining('ran out of memory (its limit is 48m)'),
  });
  expect(await containersOf(server)).toEqual([]);
});

test('never touches a foreign container that has the wanted name', async () => {
  const server = scriptedContainer();
  const name = server.dockerConfig?.containerName ?? '';
  const query = { name };
  const body = { Image: testImage, Cmd: ['node'] };
  const engine = testEngine();
  await engine.ask({ method: 'POST', path: '/containers/create', query, body });
  try {
    await expect(connecting(server)).rejects.toMatchObject({
      code: 'server_unavailable',
      message: expect.stringContaining(`docker rm ${name}`),
    });
    expect(await containersOf(server)).toHaveLength(1);
  } finally {
    await engine.ask({ method: 'DELETE', path: `/containers/${name}` });
  }
});

test('names the process that listens on the wanted port', async () => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const server = listening(port);
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringMatching(
      new RegExp(
        `^Port ${port} is already in use\\. It is used by .+ \\(process ${process.pid}\\)\\.`,
      ),
    ),
  });
  expect(await containersOf(server)).toEqual([]);
  listener.close();
});

test('names the container that publishes the wanted port', async () => {
  const first = listening(0);
  await using _ = await connecting(first);
  const [holder] = await containersOf(first);
  const port = holder?.Ports[0]?.PublicPort ?? 0;
  await expect(connecting(listening(port))).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(
      `Port ${port} is already in use. It is used by the container ${first.dockerConfig?.containerName}.`,
    ),
  });
});

test('asks for a port when a server over HTTP has none', async () => {
  const server = managedServer({ command: ['node'] }, { transport: 'http' });
  await expect(connecting(server)).rejects.toMatchObject({
    code: 'settings_invalid',
    facts: { path: 'dockerConfig.ports' },
  });
});

test('says when the network has no ports', async () => {
  const { dockerConfig, ...server } = listening(0);
  if (dockerConfig === undefined) throw new Error('no config');
  const unplugged = { ...server, dockerConfig: { ...dockerConfig, network: 'none' } };
  await expect(connecting(unplugged)).rejects.toMatchObject({
    code: 'settings_invalid',
    facts: { path: 'dockerConfig.network' },
  });
  expect(await containersOf(unplugged)).toEqual([]);
});

test('removes the container when the handshake is given up', async () => {
  const stop = new AbortController();
  const server = scriptedContainer({ onStart: 'hang' });
  const onStep = ({ name }: ConnectStep) => {
    if (name === 'handshake') stop.abort();
  };
  const attempt = connecting(server, { signal: stop.signal, onStep });
  await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
  expect(await containersOf(server)).toEqual([]);
});

test('removes the container when it is given up while starting', async () => {
  const stop = new AbortController();
  const server = scriptedContainer();
  const attempt = connecting(server, { signal: stop.signal });
  stop.abort();
  await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
  expect(await containersOf(server)).toEqual([]);
});

test('says where it looked when there is no engine', async () => {
  const connector = managedConnector({ DOCKER_HOST: 'unix:///nowhere/docker.sock' });
  await expect(connector.connect(scriptedContainer(), { signal })).rejects.toMatchObject({
    code: 'docker_unavailable',
    message: expect.stringContaining('No Docker engine answers at unix:///nowhere/docker.sock'),
    facts: { server: 'boxed', neverSent: true },
  });
});

test('refuses ports of an engine on another machine', async () => {
  const connector = managedConnector({ DOCKER_HOST: 'tcp://192.0.2.1:2375' });
  await expect(connector.connect(listening(0), { signal })).rejects.toMatchObject({
    code: 'docker_unavailable',
    message: expect.stringContaining('"stdio"'),
  });
});

/** A server that answers the handshake over HTTP and no more. */
function listening(port: number): ServerConfig {
  const program = `require('node:http').createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body || '{}');
    if (method !== 'initialize') return response.writeHead(id === undefined ? 202 : 400).end();
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }).listen(8080)`;
  return managedServer(
    { command: ['node', '-e', program], ports: { '8080': port } },
    { transport: 'http' },
  );
}
