import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { soon } from '../../testing/connection-bench.ts';
import { refuseLoginAddress } from './login-address.ts';
import { nodeFetch } from './node-fetch.ts';

const refusal = (address: string, server: string) =>
  refuseLoginAddress('mail', new URL(address), new URL(server))?.message;

test.each([
  ['https://login.example/token', 'https://mcp.example/mcp'],
  ['https://login.example/token', 'http://127.0.0.1:8000/mcp'],
  ['http://127.0.0.1:9000/token', 'http://localhost:8000/mcp'],
  ['https://10.0.0.7/token', 'https://192.168.1.2/mcp'],
  ['https://8.8.8.8/token', 'https://mcp.example/mcp'],
])('%s may be asked in a login to %s', (address, server) => {
  expect(refusal(address, server)).toBeUndefined();
});

test.each([
  ['http://login.example/token', 'https://mcp.example/mcp', 'is not https'],
  ['http://login.example/token', 'http://127.0.0.1:8000/mcp', 'is not https'],
  ['file:///etc/passwd', 'https://mcp.example/mcp', 'is not https'],
  ['http://127.0.0.1:9000/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://localhost/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://a.localhost./token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://[::1]/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://[::ffff:127.0.0.1]/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://0x7f.1/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://0.0.0.0/token', 'https://mcp.example/mcp', 'is on this machine'],
  ['https://127.0.0.1/token', 'https://192.168.1.2/mcp', 'is on this machine'],
  ['https://169.254.169.254/latest', 'https://mcp.example/mcp', 'is in a private network'],
  ['https://10.1.2.3/', 'https://mcp.example/mcp', 'is in a private network'],
  ['https://172.31.0.1/', 'https://mcp.example/mcp', 'is in a private network'],
  ['https://192.168.0.1/', 'https://mcp.example/mcp', 'is in a private network'],
  ['https://[fe80::1]/', 'https://mcp.example/mcp', 'is in a private network'],
  ['https://[fd00::1]/', 'https://mcp.example/mcp', 'is in a private network'],
])('%s is not asked in a login to %s', (address, server, why) => {
  expect(refusal(address, server)).toContain(why);
});

test('a remote server sends nothing of a login to this machine', async () => {
  const requests: string[] = [];
  const inside = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  const server = { name: 'mail', url: 'https://mcp.example/mcp' };
  const asked = nodeFetch(server, soon())(`http://127.0.0.1:${port}/internal-admin?x=1`);
  await expect(asked).rejects.toMatchObject({
    code: 'login_required',
    message: expect.stringContaining(`http://127.0.0.1:${port}/internal-admin`),
  });
  expect(requests).toEqual([]);
  inside.close();
});
