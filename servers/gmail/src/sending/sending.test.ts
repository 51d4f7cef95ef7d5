import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { gmail_v1 } from '@googleapis/gmail';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { killSends, makeOlder } from '../testing/kill-sends.ts';
import { refusal } from '../testing/mailbox.ts';
import { makeHome, startServer } from '../testing/start-server.ts';
import { useServer } from '../testing/use-server.ts';

const shared = useServer();

function send(subject: string, more: object = {}) {
  return shared.call('send_email', { to: 'a@example.org', subject, body: 'Text', ...more });
}

function headersOf({ payload }: gmail_v1.Schema$Message) {
  return Object.fromEntries((payload?.headers ?? []).map(({ name, value }) => [name, value]));
}

test('sends, after a line in the audit log', async () => {
  const answer = await send('First', { body: `${'é'.repeat(300)}`, cc: 'C <c@example.org>' });
  expect(answer).toEqual({
    message_id: expect.any(String),
    thread_id: expect.any(String),
    sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(await shared.mailbox.sent('First')).toMatchObject([{ id: answer.message_id }]);
  const [file = ''] = readdirSync(join(shared.home.vault, 'Logs'));
  expect(file).toBe(`gmail_mcp_${new Date().toISOString().slice(0, 10)}.jsonl`);
  const lines = readFileSync(join(shared.home.vault, 'Logs', file), 'utf8')
    .trim()
    .split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    event: 'pre_send_audit',
    timestamp: expect.stringMatching(/Z$/),
    to: 'a@example.org',
    subject: 'First',
    body_preview: 'é'.repeat(200),
    reply_to_message_id: null,
    severity: 'INFO',
    cc: 'C <c@example.org>',
  });
});

test('answers in the thread of a mail and of an answer, under its subject', async () => {
  const id = await shared.insert(
    '=?utf-8?Q?Caf=C3=A9=0D=0ABcc:_x@y.org?=',
    'Message-ID: <two@x>\r\nReferences: <one@x>\r\n\r\nWhat?',
  );
  const { thread_id } = await shared.call('get_email', { message_id: id });
  const first = await send('other subject', { reply_to_message_id: id });
  expect(first).toMatchObject({ thread_id });
  const sent = await shared.mailbox.ask<gmail_v1.Schema$Message>(
    'GET',
    `messages/${first.message_id}`,
  );
  expect(headersOf(sent)).toMatchObject({
    'In-Reply-To': '<two@x>',
    References: '<one@x> <two@x>',
  });
  expect(headersOf(sent)).not.toHaveProperty('Bcc');
  const own = headersOf(sent)['Message-ID'];
  expect(await shared.call('get_email', { message_id: first.message_id })).toMatchObject({
    subject: 'Re: Café Bcc: x@y.org',
  });
  const second = await send('Re: x', { reply_to_message_id: first.message_id, body: 'More' });
  const reply = await shared.mailbox.ask<gmail_v1.Schema$Message>(
    'GET',
    `messages/${second.message_id}`,
  );
  expect(second).toMatchObject({ thread_id });
  expect(headersOf(reply)).toMatchObject({
    'In-Reply-To': own,
    References: `<one@x> <two@x> ${own}`,
  });
  expect(await send('x', { reply_to_message_id: 'none' })).toMatchObject({ error: 'not_found' });
  const kept = await send('other subject', { reply_to_message_id: id, keep_subject: true });
  expect(await shared.call('get_email', { message_id: kept.message_id })).toMatchObject({
    subject: 'other subject',
    headers: { 'in-reply-to': '<two@x>' },
  });
});

test('sends one mail for one key, however many ask at once, in two servers', async () => {
  await using second = await startServer({ home: shared.home, url: shared.mailbox.url });
  const mail = { to: 'a@example.org', subject: 'Parallel', body: 'b', idempotency_key: 'parallel' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? shared.server : second).call('send_email', mail),
    ),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await shared.mailbox.sent('Parallel')).toMatchObject([{ id: answers[0]?.message_id }]);
  expect(await send('Other', { idempotency_key: 'parallel' })).toMatchObject({ error: 'conflict' });
  expect(await shared.mailbox.sent('Other')).toEqual([]);
});

test('takes the same mail within ten minutes for one mail, also when the clock is set back', async () => {
  const first = await send('Again');
  expect(await send('Again')).toEqual(first);
  makeOlder(shared.home, -3_600_000);
  expect(await send('Again')).toEqual(first);
  makeOlder(shared.home, 3_600_000 + 601_000);
  expect((await send('Again')).message_id).not.toBe(first.message_id);
  expect(await shared.mailbox.sent('Again')).toHaveLength(2);
});

test('looks up what became of a mail whose answer was lost', async () => {
  void shared.mailbox.proxy.fault({ path: /send$/ }, { kind: 'cut-after' });
  const lost = { idempotency_key: 'lost' };
  expect(await send('Lost', lost)).toMatchObject({
    error: 'send_failed',
    details: { state: 'pending', retry_after: 60 },
  });
  expect(await send('Lost', lost)).toMatchObject({ details: { state: 'pending' } });
  makeOlder(shared.home, -3_600_000);
  expect(await send('Lost', lost)).toMatchObject({
    details: { state: 'pending', retry_after: 60 },
  });
  makeOlder(shared.home);
  const [sent] = await shared.mailbox.sent('Lost');
  expect(await send('Lost', lost)).toMatchObject({ message_id: sent?.id });
  expect(await shared.mailbox.sent('Lost')).toHaveLength(1);
});

test('sends the same draft when the request did not arrive', async () => {
  void shared.mailbox.proxy.fault({ path: /send$/ }, { kind: 'cut-before' });
  expect(await send('Stopped')).toMatchObject({ details: { state: 'pending' } });
  makeOlder(shared.home);
  expect(await send('Stopped')).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('Stopped')).toHaveLength(1);
});

test('finds the draft of a lost answer, and makes no second one', async () => {
  void shared.mailbox.proxy.fault({ method: 'POST', path: /drafts$/ }, { kind: 'cut-after' });
  expect(await send('Orphan')).toMatchObject({ details: { state: 'pending' } });
  makeOlder(shared.home);
  expect(await send('Orphan')).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('Orphan')).toHaveLength(1);
  expect(await shared.call('list_drafts')).toEqual({ drafts: [] });
});

test.each([
  ['changed', 'Other text'],
  ['changed by a space', 'We are notable'],
  ['deleted', ''],
])('waits for a person when the draft was %s meanwhile', async (how, text) => {
  const subject = `Unclear-${how.replaceAll(' ', '-')}`;
  void shared.mailbox.proxy.fault({ path: /send$/ }, { kind: 'cut-before' });
  const { details } = await send(subject, { body: 'We are not able' });
  const { draft_id } = details as { readonly draft_id: string };
  const raw = Buffer.from(`To: a@example.org\r\nSubject: ${subject}\r\n\r\n${text}`);
  if (how === 'deleted') await shared.mailbox.ask('DELETE', `drafts/${draft_id}`);
  else {
    await shared.mailbox.ask('PUT', `drafts/${draft_id}`, {
      message: { raw: raw.toString('base64url') },
    });
  }
  makeOlder(shared.home);
  for (let time = 0; time < 2; time++) {
    expect(await send(subject, { body: 'We are not able' })).toMatchObject({
      error: 'send_failed',
      details: { state: 'unclear' },
    });
  }
  expect(await shared.mailbox.sent(subject)).toEqual([]);
  expect(await shared.call('health_check')).toMatchObject({
    mails: { unclear: expect.any(Number) },
  });
  expect(await send(subject, { idempotency_key: `again-${subject}` })).toHaveProperty('message_id');
});

test('says what Gmail refused, and sends when it is asked again', async () => {
  void shared.mailbox.proxy.fault({ path: /send$/ }, refusal(400, 'invalidArgument'));
  expect(await send('Refused')).toMatchObject({
    error: 'send_failed',
    message: expect.stringMatching(/^Nothing was sent\./),
  });
  expect(await send('Refused')).toHaveProperty('message_id');
  void shared.mailbox.proxy.fault({ method: 'POST', path: /drafts$/ }, refusal(403, 'forbidden'));
  expect(await send('Refused twice')).toMatchObject({ error: 'permission_denied' });
  expect(await send('Refused twice')).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('Refused')).toHaveLength(1);
  expect(await shared.mailbox.sent('Refused twice')).toHaveLength(1);
});

test('renews a login that expires in the middle', async () => {
  using home = makeHome(shared.mailbox.url);
  await using server = await startServer({ home, url: shared.mailbox.url });
  const { proxy } = shared.mailbox;
  const body = '{"access_token":"access-secret-2","expires_in":3600}';
  void proxy.fault({ path: '/oauth2/token', times: 9 }, { kind: 'answer', status: 200, body });
  void proxy.fault({ path: /send$/ }, refusal(401, 'authError'));
  const mail = { to: 'a@example.org', subject: 'Renewed', body: 'b' };
  expect(await server.call('send_email', mail)).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('Renewed')).toHaveLength(1);
});

test('sends to nobody who stands in the name of a recipient only', async () => {
  const name = '"Ada, mallory@evil.example, and so on for more than sixty characters in all"';
  const sent = await send('Named', { to: `${name} <ada@example.org>`, cc: `${name} <c@x.org>` });
  const { raw = '' } = await shared.mailbox.ask<gmail_v1.Schema$Message>(
    'GET',
    `messages/${sent.message_id}?format=raw`,
  );
  const { to, cc } = await PostalMime.parse(Buffer.from(raw ?? '', 'base64url'));
  expect([to, cc]).toEqual([
    [{ name: name.slice(1, -1), address: 'ada@example.org' }],
    [{ name: name.slice(1, -1), address: 'c@x.org' }],
  ]);
});

test('keeps to the list of recipients and to the daily cap', async () => {
  using home = makeHome(shared.mailbox.url);
  const args = ['--allow', 'Ada <ada@example.org>, @Example.com', '--daily-cap', '2'];
  await using server = await startServer({ home, url: shared.mailbox.url, args });
  const mail = (to: string, more: object = {}) =>
    server.call('send_email', { to, subject: 'Capped', body: to, ...more });
  for (const to of ['eve@example.org', 'x@sub.example.com', 'ada@example.org, eve@x.org']) {
    expect(await mail(to)).toMatchObject({ error: 'permission_denied' });
  }
  expect(await mail('ada@example.org', { bcc: 'eve@x.org' })).toMatchObject({
    error: 'permission_denied',
    details: { refused: ['eve@x.org'] },
  });
  expect(await mail('ADA@example.org')).toHaveProperty('message_id');
  expect(await mail('bob@example.com')).toHaveProperty('message_id');
  expect(await mail('bob@EXAMPLE.com', { body: 'third' })).toMatchObject({
    error: 'rate_limited',
    details: { daily_cap: 2, retry_after: expect.any(Number) },
  });
  expect(await mail('bob@example.com')).toHaveProperty('message_id');
  expect(await shared.mailbox.sent('Capped')).toHaveLength(2);
});

test.each([
  ['the audit log', 0],
  ['the ledger', 4],
])('sends nothing when the disk has no room for its line in %s', async (what, blocks) => {
  using home = makeHome(shared.mailbox.url);
  // A first server makes the ledger; the second can make no file larger than so many blocks.
  await using first = await startServer({ home, url: shared.mailbox.url });
  await first.call('health_check');
  const limited = ['/bin/sh', '-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath];
  const program = [...limited, join(import.meta.dirname, '../main.ts')];
  await using full = await startServer({ home, url: shared.mailbox.url, program });
  const asked = shared.mailbox.proxy.requests.length;
  const mail = { to: 'a@x.org', subject: 'Full', body: 'b' };
  expect(await full.call('send_email', mail)).toMatchObject({
    error: 'send_failed',
    message: expect.stringContaining(`because ${what}`),
  });
  expect(shared.mailbox.proxy.requests).toHaveLength(asked);
});

test('survives being killed at any moment', async () => {
  expect(await killSends(1, 8)).toEqual([]);
}, 120_000);
