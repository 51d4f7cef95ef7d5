import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceClient } from '../service-client/service-client.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Google, startGoogle } from './start-google.ts';
import { TestClock } from './test-clock.ts';

let google: Google;
let proxy: FaultProxy;
beforeAll(async () => {
  google = await startGoogle();
  proxy = await startFaultProxy(google.url);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await google[Symbol.asyncDispose]();
});

const raw = Buffer.from('To: b@example.org\r\nSubject: s\r\n\r\ntext').toString('base64url');

async function openClient() {
  const { accessToken } = await google.logIn();
  return createServiceClient({
    baseUrl: `${proxy.url}/gmail/v1/users/me`,
    authorize: async () => ({ authorization: `Bearer ${accessToken}` }),
    clock: new TestClock(20_000),
  });
}

async function drafts(): Promise<number> {
  const { drafts = [] } = (await google.ask('GET', 'drafts')) as { drafts?: unknown[] };
  return drafts.length;
}

test.each([
  [{ kind: 'cut-before' }, { kind: 'cut', sent: 'maybe' }, 0],
  [{ kind: 'cut-after' }, { kind: 'cut', sent: 'maybe' }, 1],
  [{ kind: 'cut-answer' }, { kind: 'cut', sent: 'yes' }, 1],
  [{ kind: 'answer', status: 500 }, { kind: 'unavailable', sent: 'maybe' }, 0],
  [{ kind: 'answer-after', status: 502 }, { kind: 'unavailable', sent: 'maybe' }, 1],
  [{ kind: 'duplicate' }, undefined, 2],
] as const)(
  'with the fault %j a draft ends as %j, and %i were made',
  async (fault, failure, made) => {
    const client = await openClient();
    const before = await drafts();
    const hit = proxy.fault({ method: 'POST', path: /\/drafts$/ }, fault);
    const asked = client.request({ method: 'POST', path: 'drafts', json: { message: { raw } } });
    if (failure === undefined)
      expect((await asked).json()).toMatchObject({ id: expect.any(String) });
    else await expect(asked).rejects.toMatchObject(failure);
    expect((await hit).body).toContain(raw);
    expect((await drafts()) - before).toBe(made);
  },
);

test('holds a request and an answer until it is told, and heals', async () => {
  const client = await openClient();
  const gate = Promise.withResolvers<void>();
  const hit = proxy.fault({ path: /\/labels$/ }, { kind: 'hold-after', until: gate.promise });
  const asked = client.request({ method: 'GET', path: 'labels' });
  await hit;
  gate.resolve();
  expect((await asked).status).toBe(200);
  void proxy.fault({}, { kind: 'answer', status: 500 });
  proxy.heal();
  expect((await client.request({ method: 'GET', path: 'labels' })).status).toBe(200);
});
