import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock } from '@errand/host';
import { closeServer, listen } from '@errand/wire/node';
import { expect, onTestFinished, test } from 'vitest';
import type { Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { ChainTracker } from './chain-tracker.ts';
import { httpEndpoint, httpSource } from './http-source.ts';

const http: Trigger = { kind: 'http' };
const json = { 'Content-Type': 'application/json' };

test('takes JSON and text with the token of the hook, for that hook alone', async () => {
  const { started, endpoint, stateFolder } = await fixture();
  const { url, token } = await endpoint('hook-0');
  const answer = await post(
    `${url}?from=ci`,
    { ...bearer(token), ...json, 'X-Event': 'push' },
    '{"a":[1]}',
  );
  expect(answer).toEqual({ status: 202, body: { eventId: started.events[0]?.id } });
  await post(url, { ...bearer(token), 'Errand-Hook-Chain': 'chain-7' }, 'plain');
  expect(started.events).toMatchObject([
    {
      kind: 'http',
      hookId: 'hook-0',
      fields: { http: { body: { a: [1] }, query: { from: 'ci' }, headers: { 'x-event': 'push' } } },
    },
    { fields: { http: { body: 'plain' } }, chain: { id: 'chain-7' } },
  ]);
  expect(JSON.stringify(started.events)).not.toContain(token);
  const other = await endpoint('hook-1');
  expect(await post(other.url, bearer(token), '')).toMatchObject({ status: 401 });
  const [name = ''] = readdirSync(join(stateFolder, 'hooks'));
  expect(statSync(join(stateFolder, 'hooks', name, 'http.json')).mode & 0o777).toBe(0o600);
});

test('refuses whoever has no token, a web page, a foreign host name and what it cannot read', async () => {
  const { started, endpoint } = await fixture();
  const { url, token } = await endpoint('hook-0');
  const status = async (headers: object, body = '', to = url, method = 'POST') =>
    (await post(to, { ...bearer(token), ...headers }, body, method)).status;
  expect(await status({ Authorization: 'Bearer x' })).toBe(401);
  expect(await status({}, '', url.replace('hook-0', 'nobody'))).toBe(401);
  expect(await status({ Host: 'evil.example' })).toBe(403);
  expect(await status({ Origin: 'https://evil.example' })).toBe(403);
  expect(await status({}, '', url.replace('/hooks/', '/'))).toBe(404);
  expect(await status({}, '', url.replace('hook-0', '%ff'))).toBe(404);
  expect(await status({}, '', url, 'GET')).toBe(405);
  expect(await status(json, '{')).toBe(400);
  expect(await status(json, `${'['.repeat(100_000)}`)).toBe(400);
  expect(await status({}, 'x'.repeat(1024 * 1024 + 1))).toBe(413);
  expect(await status({}, 'x'.repeat(1024 * 1024))).toBe(202);
  expect(started.events).toHaveLength(1);
});

test('a request with the same idempotency key is one event', async () => {
  const { started, endpoint } = await fixture();
  const { url, token } = await endpoint('hook-0');
  const headers = { ...bearer(token), 'Idempotency-Key': 'delivery 1' };
  const answers = [await post(url, headers, 'one'), await post(url, headers, 'one')];
  expect(answers[1]).toEqual(answers[0]);
  expect(started.events).toHaveLength(1);
  expect(await post(url, headers, 'two')).toMatchObject({ status: 422 });
});

test('a request that could not be stored is answered so, and counts when it is sent again', async () => {
  const { ports } = await fixture();
  const stored: unknown[] = [];
  let isFull = true;
  await using _source = await httpSource(ports).start({
    wanted: () => [{ hookId: 'full', trigger: http }],
    emit: async (event) => {
      if (isFull) throw new Error('The disk is full.');
      stored.push(event);
    },
    onFault: () => undefined,
  });
  const { url = '', token = '' } = (await httpEndpoint(ports, 'full')) ?? {};
  const headers = { ...bearer(token), 'Idempotency-Key': 'delivery 1' };
  expect(await post(url, headers, 'one')).toMatchObject({ status: 500 });
  isFull = false;
  expect(await post(url, headers, 'one')).toMatchObject({ status: 202 });
  expect(await post(url, headers, 'one')).toMatchObject({ status: 202 });
  expect(stored).toHaveLength(1);
});

test('listens only while a hook wants it, and keeps address and token over a restart', async () => {
  const { ports, started, endpoint } = await fixture();
  const first = await endpoint('hook-0');
  await started.want();
  await expect.poll(() => post(first.url, {}, '').catch(() => 'refused')).toBe('refused');
  await started.want(http);
  await expect.poll(() => status(first)).toBe(202);
  await started[Symbol.asyncDispose]();
  expect(await endpoint('hook-0')).toEqual(first);
  await using again = await startSource(httpSource(ports), http);
  expect(await status(first)).toBe(202);
  expect(again.events).toHaveLength(1);
});

test('takes another port when its own is taken, and keeps the tokens', async () => {
  const { ports, started, endpoint } = await fixture();
  const first = await endpoint('hook-0');
  await started[Symbol.asyncDispose]();
  const squatter = createServer();
  await listen(squatter, { port: Number(new URL(first.url).port), host: '127.0.0.1' }, () => {});
  await using _again = await startSource(httpSource(ports), http);
  const second = await endpoint('hook-0');
  expect(second.url).not.toBe(first.url);
  expect(second.token).toBe(first.token);
  expect(await status(second)).toBe(202);
  await closeServer(squatter);
});

async function fixture() {
  const folder = mkdtempSync(join(tmpdir(), 'errand-http-'));
  const stateFolder = join(folder, 'state');
  const chains = new ChainTracker(systemClock);
  const ports = { folder, stateFolder, clock: systemClock, chains };
  const started = await startSource(httpSource(ports), http, http);
  onTestFinished(async () => {
    await started[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const endpoint = async (hookId: string) => {
    const found = await httpEndpoint(ports, hookId);
    if (found === undefined) throw new Error(`${hookId} has no endpoint`);
    return found;
  };
  return { ports, stateFolder, started, endpoint };
}

async function status({ url, token }: { readonly url: string; readonly token: string }) {
  const answer = await post(url, bearer(token), '').catch(() => undefined);
  return answer?.status;
}

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

/** Unlike `fetch`, Node's own client sends a Host header of one's choice. */
function post(url: string, headers: object, body: string, method = 'POST') {
  return new Promise<{ readonly status: number | undefined; readonly body: unknown }>(
    (resolve, reject) => {
      const length = { 'Content-Length': Buffer.byteLength(body) };
      const sent = send(url, { method, agent: false, headers: { ...length, ...headers } });
      sent.on('error', reject);
      sent.on('response', async (response) =>
        resolve({
          status: response.statusCode,
          body: JSON.parse((await text(response)) || 'null'),
        }),
      );
      sent.end(body);
    },
  );
}
