import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { createServiceClient } from './service-client.ts';

let folder: string;
let certificate: string;
const service = { url: '', requests: 0 };
let closeService: () => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'errand-tls-'));
  certificate = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const names = ['-subj', '/CN=service', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  execFileSync('openssl', [...kind, ...names, ...files], { stdio: 'ignore' });
  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createTlsServer(options, (_request, response) => {
    service.requests += 1;
    response.end('{"here":true}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  service.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeService = () => {
    server.closeAllConnections();
    server.close();
  };
});

afterAll(() => {
  closeService();
  rmSync(folder, { recursive: true, force: true });
});

test('sends nothing to a service whose certificate nobody vouches for, and does not try again', async () => {
  const clock = new TestClock(20_000);
  const client = createServiceClient({ baseUrl: service.url, clock });
  await expect(client.request({ method: 'GET', path: 'x' })).rejects.toMatchObject({
    kind: 'unavailable',
    sent: 'no',
    detail: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
  expect(clock.skipped).toEqual([]);
  expect(service.requests).toBe(0);
});

test('takes the proxy and the certificates of the environment', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url);
    const { port } = new URL(service.url);
    const there = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  const address = urlAt(await listen(proxy, { port: 0, host: '127.0.0.1' }, () => {}), '');
  const program = `
    import { createServiceClient } from ${JSON.stringify(new URL('./service-client.ts', import.meta.url).href)};
    const client = createServiceClient({ baseUrl: process.argv[1] });
    console.log((await client.request({ method: 'GET', path: 'x' })).text());
    process.exit();
  `;
  const args = ['--input-type=module', '-e', program, service.url];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: certificate,
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: address,
      NO_PROXY: '',
      no_proxy: '',
    },
    timeout: 30_000,
  });
  await closeServer(proxy);
  expect(stdout).toBe('{"here":true}\n');
  expect(asked).toEqual([new URL(service.url).host]);
});
