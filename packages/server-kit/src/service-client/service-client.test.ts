import { expect, test } from 'vitest';
import {
  type Answer,
  json,
  scriptedService as serve,
  unavailable,
} from '../testing/scripted-service.ts';

test('asks below its base address and reads JSON', async () => {
  const { client, requests } = await serve([(_request, response) => json(response, { a: 1 })]);
  const answer = await client.request({
    method: 'POST',
    path: '/users/me',
    query: { q: 'is:unread', labelIds: ['A', 'B'], none: undefined },
    json: { text: 'ä' },
  });
  expect(answer.json()).toEqual({ a: 1 });
  expect(answer.status).toBe(200);
  expect(requests).toMatchObject([
    {
      method: 'POST',
      url: '/base/users/me?q=is%3Aunread&labelIds=A&labelIds=B',
      body: '{"text":"ä"}',
    },
  ]);
});

test.each([
  [401, 'unauthorized', 'no'],
  [403, 'forbidden', 'no'],
  [404, 'not_found', 'no'],
  [409, 'conflict', 'no'],
  [412, 'conflict', 'no'],
  [422, 'invalid', 'no'],
  [429, 'rate_limited', 'no'],
  [500, 'unavailable', 'maybe'],
  [503, 'unavailable', 'maybe'],
  [302, 'redirected', 'maybe'],
] as const)('HTTP %i is %s, and a write was sent: %s', async (status, kind, sent) => {
  const { client, requests } = await serve([
    (_request, response) => void response.writeHead(status).end('{"error":{"code":1}}'),
  ]);
  const asked = client.request({
    method: 'POST',
    path: 'x',
    query: { key: 'hidden' },
    repeatable: false,
  });
  await expect(asked).rejects.toMatchObject({
    kind,
    sent,
    status,
    ...(status !== 302 && { detail: { error: { code: 1 } } }),
  });
  await expect(asked).rejects.not.toThrow('hidden');
  expect(requests).toHaveLength(1);
});

test('repeats a read three times with growing waits, then gives up', async () => {
  const { client, requests, clock } = await serve([unavailable]);
  await expect(client.request({ method: 'GET', path: 'x' })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  expect(requests).toHaveLength(4);
  expect(clock.skipped).toEqual([1000, 2000, 4000]);
});

test('waits at most ten seconds between attempts', async () => {
  const { client, clock } = await serve([unavailable], {
    limits: { retries: 6, breaker: { failures: 99, withinMs: 1, openMs: 1 } },
    deadlineMs: 100_000,
  });
  await expect(client.request({ method: 'GET', path: 'x' })).rejects.toThrow();
  expect(clock.skipped).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test.each<[string, Answer]>([
  ['an answer of 503', unavailable],
  ['a connection that is cut after the request', (request) => request.socket.destroy()],
])('sends a write only once after %s', async (_what, answer) => {
  const { client, requests } = await serve([answer]);
  await expect(client.request({ method: 'POST', path: 'x', json: {} })).rejects.toMatchObject({
    sent: 'maybe',
  });
  expect(requests).toHaveLength(1);
});

test('sends a write again after a refusal that proves that nothing happened', async () => {
  const { client, requests, clock } = await serve([
    (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
    (_request, response) => json(response, {}),
  ]);
  await client.request({ method: 'POST', path: 'x', json: {} });
  expect(requests).toHaveLength(2);
  expect(clock.skipped).toEqual([7000]);
});

test('never sends again what is not repeatable, not even after a refusal', async () => {
  const { client, requests } = await serve([
    (_request, response) => void response.writeHead(429).end(),
  ]);
  const asked = client.request({ method: 'POST', path: 'x', repeatable: false });
  await expect(asked).rejects.toMatchObject({ kind: 'rate_limited', sent: 'no' });
  expect(requests).toHaveLength(1);
});

test('remembers that an earlier attempt may have been carried out', async () => {
  const { client } = await serve([
    (request) => request.socket.destroy(),
    (_request, response) => void response.writeHead(404).end(),
  ]);
  const asked = client.request({ method: 'DELETE', path: 'x', repeatable: true });
  await expect(asked).rejects.toMatchObject({ kind: 'not_found', sent: 'maybe' });
});

test.each([
  ['a number of seconds', '3600', 3_600_000],
  ['a date', 'Thu, 01 Jan 2026 01:00:00 GMT', 3_600_000],
])(
  'says when to come back instead of waiting too long, given %s',
  async (_what, header, expected) => {
    const { client, requests } = await serve([
      (_request, response) => void response.writeHead(429, { 'retry-after': header }).end(),
    ]);
    await expect(
      client.request({ method: 'GET', path: 'x', deadlineMs: 86_400_000 }),
    ).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: expected,
    });
    expect(requests).toHaveLength(1);
  },
);

test('takes the word of the service for what a refusal means', async () => {
  const { client, requests } = await serve(
    [
      (_request, response) => void response.writeHead(403).end('{"reason":"slow down"}'),
      (_request, response) => json(response, {}),
    ],
    {
      classify: (status, detail) =>
        status === 403 && (detail as { reason?: string }).reason === 'slow down'
          ? 'rate_limited'
          : undefined,
    },
  );
  await client.request({ method: 'GET', path: 'x' });
  expect(requests).toHaveLength(2);
});

test('gets new credentials once after 401, also for a write', async () => {
  let token = 'old';
  const { client, requests } = await serve(
    [
      (request, response) =>
        request.headers.authorization === 'Bearer new'
          ? json(response, {})
          : void response.writeHead(401).end(),
    ],
    {
      authorize: async () => ({ authorization: `Bearer ${token}` }),
      onUnauthorized: ({ authorization }) => {
        if (authorization === 'Bearer old') token = 'new';
      },
    },
  );
  await client.request({ method: 'POST', path: 'x', repeatable: false });
  expect(requests).toHaveLength(2);
  token = 'worse';
  await expect(client.request({ method: 'GET', path: 'x' })).rejects.toMatchObject({
    kind: 'unauthorized',
  });
  expect(requests).toHaveLength(4);
});

test('never takes credentials to another host, and follows within its own', async () => {
  const elsewhere = await serve([(_request, response) => json(response, {})]);
  const { client, requests } = await serve(
    [
      (_request, response) => void response.writeHead(302, { location: '/base/a/there' }).end(),
      (_request, response) => void response.writeHead(302, { location: 'further' }).end(),
      (_request, response) =>
        void response.writeHead(302, { location: `${elsewhere.url}/base/x?token=secret` }).end(),
    ],
    { authorize: async () => ({ authorization: 'Bearer t' }) },
  );
  const asked = client.request({ method: 'GET', path: 'here' });
  await expect(asked).rejects.toMatchObject({
    kind: 'redirected',
    detail: { location: `${elsewhere.url}/base/x` },
  });
  expect(requests.map(({ url }) => url)).toEqual([
    '/base/here',
    '/base/a/there',
    '/base/a/further',
  ]);
  expect(elsewhere.requests).toEqual([]);
});

test('does not try again what cannot be sent at all, and shows no credentials', async () => {
  const { client, requests, clock } = await serve([(_request, response) => json(response, {})], {
    authorize: async () => ({ authorization: 'Bearer hid\nden' }),
  });
  const failure = await client.request({ method: 'POST', path: 'x' }).catch((error) => error);
  expect(failure).toMatchObject({ kind: 'invalid', sent: 'no', cause: undefined });
  expect([requests, clock.skipped]).toEqual([[], []]);
});

test.each(['https://elsewhere.example/base/x', 'http://127.0.0.1:1/base', '../admin', 'a/../../x'])(
  'does not ask %s, which is not below its base address',
  async (path) => {
    const { client, requests } = await serve([(_request, response) => json(response, {})]);
    await expect(client.request({ method: 'GET', path })).rejects.toMatchObject({
      kind: 'invalid',
      sent: 'no',
    });
    await client.request({ method: 'GET', path: '//elsewhere.example/x' });
    expect(requests.map(({ url }) => url)).toEqual(['/base/elsewhere.example/x']);
  },
);

test('tells a login page from JSON, and that the request was carried out', async () => {
  const { client } = await serve([
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Log in to the proxy'),
  ]);
  const answer = await client.request({ method: 'POST', path: 'x' });
  expect(() => answer.json()).toThrow(
    expect.objectContaining({
      kind: 'not_json',
      sent: 'yes',
      detail: { contentType: 'text/html', text: '<html>Log in to the proxy' },
    }),
  );
});

test('reads no more of an answer than the limit', async () => {
  const { client } = await serve([(_request, response) => void response.end('x'.repeat(1000))]);
  const asked = client.request({ method: 'GET', path: 'x', maxBytes: 999 });
  await expect(asked).rejects.toMatchObject({ kind: 'too_large', sent: 'yes' });
  expect((await client.request({ method: 'GET', path: 'x', maxBytes: 1000 })).bytes).toHaveLength(
    1000,
  );
});

test('tells an answer that breaks off', async () => {
  const { client } = await serve([
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    },
  ]);
  const asked = client.request({ method: 'POST', path: 'x' });
  await expect(asked).rejects.toMatchObject({ kind: 'cut', sent: 'yes', status: 200 });
});

test('knows that nothing was sent where nobody listens', async () => {
  const { client, close } = await serve([]);
  await close();
  const asked = client.request({ method: 'POST', path: 'x', repeatable: false });
  await expect(asked).rejects.toMatchObject({
    kind: 'unavailable',
    sent: 'no',
    detail: { code: 'ECONNREFUSED' },
  });
});

test('passes on what the credentials fail with, and sends nothing', async () => {
  const { client, requests } = await serve([], {
    authorize: () => Promise.reject(new Error('log in first')),
  });
  await expect(client.request({ method: 'GET', path: 'x' })).rejects.toThrow('log in first');
  expect(requests).toEqual([]);
});

test('hands on that nothing has changed, for those who ask by an ETag', async () => {
  const { client } = await serve([
    (request, response) =>
      void response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 200).end(),
  ]);
  const headers = { 'if-none-match': '"1"' };
  expect((await client.request({ method: 'GET', path: 'x', headers })).status).toBe(304);
});

test('keeps its connection', async () => {
  const { client, requests } = await serve([(_request, response) => json(response, {})]);
  for (const path of ['a', 'b', 'c', 'd', 'e']) await client.request({ method: 'GET', path });
  // A connection may still be closing its answer when the next request begins.
  expect(new Set(requests.map(({ port }) => port)).size).toBeLessThan(3);
});
