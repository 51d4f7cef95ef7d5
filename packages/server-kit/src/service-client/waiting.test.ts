import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import {
  type Answer,
  json,
  scriptedService as serve,
  unavailable,
} from '../testing/scripted-service.ts';

test('ends at its deadline, which the service may hang beyond', async () => {
  const arrived = Promise.withResolvers<void>();
  const { client, clock } = await serve([() => arrived.resolve()]);
  const asked = client.request({ method: 'POST', path: 'x', deadlineMs: 50_000 });
  await arrived.promise;
  clock.advance(50_000);
  await expect(asked).rejects.toMatchObject({ kind: 'timeout', sent: 'maybe' });
});

test('ends when the caller gives up, in the queue as well', async () => {
  const arrived = Promise.withResolvers<void>();
  const { client, requests } = await serve([() => arrived.resolve()], { maxConcurrent: 1 });
  const giveUp = new AbortController();
  const first = client.request({ method: 'POST', path: 'x', signal: giveUp.signal });
  const second = client.request({ method: 'POST', path: 'y', signal: giveUp.signal });
  await arrived.promise;
  giveUp.abort();
  await expect(first).rejects.toMatchObject({ kind: 'cancelled', sent: 'maybe' });
  await expect(second).rejects.toMatchObject({ kind: 'cancelled', sent: 'no' });
  expect(requests).toHaveLength(1);
});

test('gives the place of one that left the queue to the next', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { client, requests } = await serve(
    [(_request, response) => arrived.resolve(response), (_request, response) => json(response, {})],
    { maxConcurrent: 1 },
  );
  const first = client.request({ method: 'GET', path: '1' });
  const held = await arrived.promise;
  const giveUp = new AbortController();
  const second = client.request({ method: 'GET', path: '2', signal: giveUp.signal });
  const third = client.request({ method: 'GET', path: '3' });
  giveUp.abort();
  await expect(second).rejects.toMatchObject({ kind: 'cancelled' });
  json(held, {});
  await Promise.all([first, third]);
  expect(requests.map(({ url }) => url)).toEqual(['/base/1', '/base/3']);
});

test('asks so many at once and no more, in the order of asking', async () => {
  const waiting: ServerResponse[] = [];
  const twice = Promise.withResolvers<void>();
  const { client, requests } = await serve(
    [
      (_request, response) => {
        waiting.push(response);
        if (waiting.length === 2) twice.resolve();
        if (waiting.length > 2) json(response, {});
      },
    ],
    { maxConcurrent: 2 },
  );
  const all = [1, 2, 3, 4, 5].map((each) => client.request({ method: 'GET', path: `${each}` }));
  await twice.promise;
  expect(requests).toHaveLength(2);
  for (const response of waiting.slice(0, 2)) json(response, {});
  await Promise.all(all);
  expect(requests.map(({ url }) => url?.at(-1)).slice(2)).toEqual(['3', '4', '5']);
});

test('stops asking a service that keeps failing, and tries it with one request later', async () => {
  let isDown = true;
  const { client, requests, clock } = await serve([
    (request, response) => (isDown ? unavailable(request, response) : json(response, {})),
  ]);
  const ask = () => client.request({ method: 'GET', path: 'x', repeatable: false });
  for (let count = 0; count < 5; count += 1) {
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  }
  await expect(ask()).rejects.toMatchObject({
    kind: 'breaker_open',
    sent: 'no',
    retryAfterMs: 30_000,
  });
  expect(requests).toHaveLength(5);
  clock.advance(30_000);
  const tries = await Promise.allSettled([ask(), ask(), ask()]);
  expect(tries.map((each) => (each as PromiseRejectedResult).reason.kind)).toEqual([
    'unavailable',
    'breaker_open',
    'breaker_open',
  ]);
  expect(requests).toHaveLength(6);
  isDown = false;
  clock.advance(30_000);
  await ask();
  await Promise.all([ask(), ask()]);
});

function slowDown(seconds?: number): Answer {
  return (_request, response) => {
    response.writeHead(429, seconds === undefined ? {} : { 'retry-after': `${seconds}` }).end();
  };
}

test('holds everybody back while the service wants a pause', async () => {
  const { client, requests, clock } = await serve([slowDown(120)], { maxConcurrent: 8 });
  const ask = () => client.request({ method: 'GET', path: 'x' });
  const all = await Promise.allSettled(Array.from({ length: 50 }, ask));
  for (const each of all) {
    expect((each as PromiseRejectedResult).reason).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 120_000,
    });
  }
  expect(requests.length).toBeLessThanOrEqual(8);
  expect(client.pausedMs()).toBe(120_000);
  const before = requests.length;
  clock.advance(90_000);
  await expect(ask()).rejects.toMatchObject({ retryAfterMs: 30_000, sent: 'no' });
  expect(requests).toHaveLength(before);
});

test('tries with one request after a pause, and lets the others through when it is answered', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const { client, requests, clock } = await serve(
    [
      slowDown(60),
      (_request, response) => held.resolve(response),
      (_request, response) => json(response, {}),
    ],
    { maxConcurrent: 8 },
  );
  const ask = () => client.request({ method: 'GET', path: 'x' });
  await expect(ask()).rejects.toMatchObject({ kind: 'rate_limited' });
  clock.advance(60_000);
  const all = Array.from({ length: 5 }, ask);
  const response = await held.promise;
  expect(requests).toHaveLength(2);
  json(response, {});
  await Promise.all(all);
  expect(requests).toHaveLength(6);
});

test('pauses longer and longer when the service does not say how long, and never storms', async () => {
  const { client, requests } = await serve([slowDown()], { maxConcurrent: 8 });
  const ask = () => client.request({ method: 'GET', path: 'x' });
  const all = await Promise.allSettled(Array.from({ length: 50 }, ask));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(50);
  expect(requests.length).toBeLessThanOrEqual(20);
});

test('does not send a write again after a pause, but waits for one that others met', async () => {
  const { client, requests, clock } = await serve([
    slowDown(2),
    (_request, response) => json(response, {}),
  ]);
  const write = () => client.request({ method: 'POST', path: 'x', repeatable: false });
  await expect(write()).rejects.toMatchObject({ kind: 'rate_limited', sent: 'no' });
  await write();
  expect(requests).toHaveLength(2);
  expect(clock.skipped).toEqual([2000]);
});
