import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { GatewayHandler } from './gateway-handler.ts';
import { listenOnHttp } from './listen-on-http.ts';
import { modernRequest, openTestGateway } from './testing/open-test-gateway.ts';

test('listens on this machine only, at /mcp', async () => {
  await using test = await openTestGateway();
  expect(test.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
});

test.each(['0.0.0.0', '::', '192.168.1.7'])(
  'does not listen on %s without a token',
  async (host) => {
    await using test = await openTestGateway();
    await expect(listenOnHttp(test.gateway, { host })).rejects.toMatchObject({
      code: 'settings_invalid',
      advice: [{ kind: 'protect-gateway' }],
    });
  },
);

test('listens beyond this machine with a token', async () => {
  await using test = await openTestGateway();
  await using listener = await listenOnHttp(test.gateway, { host: '0.0.0.0', token: 'secret' });
  const { body, headers } = modernRequest('tools/list');
  const url = listener.url.replace('0.0.0.0', '127.0.0.1');
  const send = (authorization: string) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await send('Bearer secret')).status).toBe(200);
  expect((await send('Bearer other')).status).toBe(401);
});

test('says when its port is taken', async () => {
  await using test = await openTestGateway();
  const port = Number(new URL(test.url).port);
  await expect(listenOnHttp(test.gateway, { port })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(`Port ${port} is already in use`),
  });
});

test('can be mounted under a path of another server', async () => {
  await using test = await openTestGateway();
  await using handler = new GatewayHandler(test.gateway);
  const server = createServer((request, response) => {
    if (request.url === '/api/mcp') handler.handle(request, response);
    else response.end('the page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { body, headers } = modernRequest('tools/list');
  const response = await fetch(`http://127.0.0.1:${port}/api/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await response.json()).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
