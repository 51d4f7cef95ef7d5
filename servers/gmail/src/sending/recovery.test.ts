import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeOlder } from '../testing/kill-sends.ts';
import { makeHome, startServer } from '../testing/start-server.ts';
import { useServer } from '../testing/use-server.ts';

const shared = useServer();

function mailOf(name: string, more: object = {}) {
  return { to: 'a@example.org', subject: name, body: 'Text', idempotency_key: name, ...more };
}

function send(name: string, more: object = {}) {
  return shared.call('send_email', mailOf(name, more));
}

test('sends the draft that another machine has begun under the same key', async () => {
  using home = makeHome(shared.mailbox.url);
  await using other = await startServer({ home, url: shared.mailbox.url });
  void shared.mailbox.proxy.fault({ method: 'POST', path: /drafts$/ }, { kind: 'cut-after' });
  expect(await send('Begun')).toMatchObject({ details: { state: 'pending' } });
  const answer = await other.call('send_email', mailOf('Begun'));
  expect(answer).toHaveProperty('message_id');
  makeOlder(shared.home);
  // The machine that began it finds what the other has sent.
  expect(await send('Begun')).toMatchObject({ message_id: answer.message_id });
  expect(await shared.mailbox.sent('Begun')).toHaveLength(1);
  expect(await shared.call('list_drafts')).toEqual({ drafts: [] });
});

test('finds a mail whose draft a person has sent meanwhile', async () => {
  void shared.mailbox.proxy.fault({ method: 'POST', path: /drafts$/ }, { kind: 'cut-after' });
  await send('ByHand');
  const { drafts } = await shared.mailbox.ask<{ drafts: { id: string }[] }>('GET', 'drafts');
  const sent = await shared.mailbox.ask<{ id: string }>('POST', 'drafts/send', drafts[0]);
  makeOlder(shared.home);
  expect(await send('ByHand')).toMatchObject({ message_id: sent.id });
  expect(await shared.mailbox.sent('ByHand')).toHaveLength(1);
});

test('finds a sent mail that Gmail shows late', async () => {
  const { proxy } = shared.mailbox;
  void proxy.fault({ path: /send$/ }, { kind: 'cut-after' });
  await send('Late');
  makeOlder(shared.home);
  void proxy.fault({ path: /threads/ }, { kind: 'answer', status: 200, body: '{"messages":[]}' });
  expect(await send('Late')).toMatchObject({ details: { state: 'unclear' } });
  const found = await send('Late');
  expect(await shared.mailbox.sent('Late')).toMatchObject([{ id: found.message_id }]);
  expect(await shared.call('get_send_status', { idempotency_key: 'Late' })).toMatchObject({
    ...found,
    state: 'sent',
  });
});

test.each([/drafts$/, /send$/])('takes a page of a proxy at %s for a lost answer', async (path) => {
  const name = `Page-${path.source.slice(0, 4)}`;
  void shared.mailbox.proxy.fault(
    { method: 'POST', path },
    { kind: 'answer-after', status: 200, body: '<html>' },
  );
  expect(await send(name)).toMatchObject({
    error: 'send_failed',
    details: { state: 'pending', retry_after: 60 },
  });
  makeOlder(shared.home);
  expect(await send(name)).toHaveProperty('message_id');
  expect(await shared.mailbox.sent(name)).toHaveLength(1);
});

test('frees the key of a mail of which nothing has reached Gmail', async () => {
  using home = makeHome(shared.mailbox.url);
  writeFileSync(home.tokens, '{}');
  await using server = await startServer({ home, url: shared.mailbox.url });
  const first = await server.call('send_email', mailOf('Free'));
  expect(first).toMatchObject({ error: 'auth_required' });
  writeFileSync(home.tokens, JSON.stringify({ access_token: 'x', account: 'owner@example.org' }));
  expect(await server.call('send_email', mailOf('Free', { body: 'Better text' }))).toHaveProperty(
    'message_id',
  );
  expect(await server.call('send_email', mailOf('Free'))).toMatchObject({
    error: 'conflict',
    message: expect.stringContaining('Nothing was sent.'),
  });
  expect(await shared.mailbox.sent('Free')).toHaveLength(1);
});

test('sends nothing early and nothing twice when the clock is set back in the middle', async () => {
  void shared.mailbox.proxy.fault({ path: /send$/ }, { kind: 'cut-after' });
  await send('SetBack');
  makeOlder(shared.home, -3_600_000);
  expect(await send('SetBack')).toMatchObject({ details: { state: 'pending' } });
  // The wait began anew with the clock as it is now.
  makeOlder(shared.home);
  expect(await send('SetBack')).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('SetBack')).toHaveLength(1);
});
