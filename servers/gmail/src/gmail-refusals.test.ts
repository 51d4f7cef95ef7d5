import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '@errand/server-kit/testing';
import { expect, test, vi } from 'vitest';
import { refusal } from './testing/mailbox.ts';
import { makeHome, startServer } from './testing/start-server.ts';
import { useServer } from './testing/use-server.ts';

const shared = useServer();

test.each<[string, object, RegExp]>([
  ['list_emails', { querry: 'x' }, /querry/],
  ['list_emails', { max_results: 0 }, /max_results/],
  ['list_emails', { max_results: 101 }, /max_results/],
  ['get_email', {}, /message_id/],
  ['get_email', { message_id: '../labels' }, /message_id/],
  ['get_email', { message_id: 'a', threadId: 'b' }, /threadId/],
  ['move_email', { message_id: 'a', destination_label: 'a\nb' }, /destination_label/],
  ['add_label', { message_id: 'a', label_name: ' ' }, /label_name/],
  ['send_email', { to: 'a@x.org', subject: 's', body: 'b', thread_id: 't' }, /thread_id/],
  [
    'send_email',
    { to: 'a@x.org\r\nBcc: e@x.org', subject: 's', body: 'b' },
    /^to contains a line break/,
  ],
  ['send_email', { to: 'a@x.org', subject: 's\r\nBcc: e@x.org', body: 'b' }, /^subject contains/],
  ['send_email', { to: 'a@x.org', cc: 'c@x.org\nX: y', subject: 's', body: 'b' }, /^cc contains/],
  [
    'send_email',
    { to: 'a@x.org', bcc: 'c@x.org\u2028', subject: 's', body: 'b' },
    /^bcc contains|^bcc "/,
  ],
  [
    'send_email',
    { to: 'a@x.org', subject: 's', body: 'b', idempotency_key: 'a\r\nb' },
    /idempotency_key/,
  ],
  [
    'send_email',
    { to: 'a@x.org', subject: 's', body: 'b', reply_to_message_id: 'a\nb' },
    /reply_to_message_id/,
  ],
  ['create_draft', { to: 'a@x.org\nb', subject: 's', body: 'b' }, /^to contains/],
])('refuses %s with %j', async (tool, input, message) => {
  const asked = shared.mailbox.proxy.requests.length;
  expect(await shared.call(tool, { ...input })).toMatchObject({
    error: 'invalid_input',
    message: expect.stringMatching(message),
  });
  expect(shared.mailbox.proxy.requests).toHaveLength(asked);
});

const page = { kind: 'answer', status: 200, body: '<html>' } as const;

test.each<[Fault & { readonly kind: 'answer' }, string, object]>([
  [refusal(403, 'insufficientPermissions'), 'permission_denied', { status: 403 }],
  [refusal(403, 'dailyLimitExceeded'), 'rate_limited', { retry_after: 60 }],
  [refusal(404, 'notFound'), 'not_found', { status: 404 }],
  [refusal(400, 'invalidArgument'), 'invalid_input', { status: 400 }],
  [page, 'mcp_unavailable', { reason: 'not_json' }],
])('answers %j of Gmail with %s', async (answer, error, details) => {
  const { proxy } = shared.mailbox;
  const asked = proxy.requests.length;
  void proxy.fault({ path: /messages/, times: 9 }, answer);
  const failure = await shared.call('get_email', { message_id: 'm1' });
  expect(failure).toMatchObject({ error, details });
  const count = proxy.requests.slice(asked).filter(({ path }) => path.includes('messages')).length;
  expect(count).toBe(1);
  if (error === 'invalid_input') return;
  expect(await shared.call('health_check')).toMatchObject({ last_error: { error } });
});

test.each([
  ['move_email', { destination_label: 'INBOX' }],
  ['add_label', { label_name: 'INBOX' }],
  ['delete_draft', {}],
])('does not say that %s is done when a proxy answers', async (tool, more) => {
  const id = await shared.insert('Page');
  void shared.mailbox.proxy.fault({ path: /modify|drafts/ }, page);
  const name = tool === 'delete_draft' ? { draft_id: 'd1' } : { message_id: id };
  expect(await shared.call(tool, { ...name, ...more })).toMatchObject({
    error: 'mcp_unavailable',
    message: expect.stringMatching(/proxy.*look before you try again/),
  });
});

test('renews a login that Gmail does not accept, once, and then asks for a new one', async () => {
  using other = makeHome(shared.mailbox.url);
  await using own = await startServer({ home: other, url: shared.mailbox.url });
  const { proxy } = shared.mailbox;
  const body = '{"access_token":"access-secret-2","expires_in":3600}';
  void proxy.fault({ path: '/oauth2/token', times: 9 }, { kind: 'answer', status: 200, body });
  void proxy.fault({ path: /messages/ }, refusal(401, 'authError'));
  expect(await own.call('list_emails')).toHaveProperty('emails');
  void proxy.fault({ path: /messages/, times: 9 }, refusal(401, 'authError'));
  const asked = proxy.requests.length;
  expect(await own.call('list_emails')).toMatchObject({
    error: 'auth_required',
    message: expect.stringMatching(/errand mail login$/),
  });
  expect(proxy.requests.length - asked).toBeLessThanOrEqual(3);
});

test.each(['rateLimitExceeded', 'userRateLimitExceeded'])(
  'passes on how long to wait, and asks nothing meanwhile, after %s',
  async (reason) => {
    using other = makeHome(shared.mailbox.url);
    await using own = await startServer({ home: other, url: shared.mailbox.url });
    const { proxy } = shared.mailbox;
    const status = reason === 'rateLimitExceeded' ? 429 : 403;
    const asked = proxy.requests.length;
    void proxy.fault({ times: 99 }, refusal(status, reason, { 'retry-after': '120' }));
    const failures = await Promise.all(
      Array.from({ length: 50 }, () => own.call('list_emails', { max_results: 5 })),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({ error: 'rate_limited' });
      const { retry_after } = failure.details as { readonly retry_after: number };
      expect(retry_after).toBeGreaterThan(100);
    }
    // Those that were under way when the first answer came, and no other.
    const before = proxy.requests.length;
    expect(before - asked).toBeLessThanOrEqual(8);
    expect(await own.call('health_check')).toMatchObject({ quota_left: 0 });
    const mail = { to: 'a@example.org', subject: `Paused ${reason}`, body: 'b' };
    expect(await own.call('send_email', mail)).toMatchObject({ error: 'rate_limited' });
    expect(proxy.requests).toHaveLength(before);
  },
);

test('waits as long as Gmail says, and then goes on', async () => {
  const id = await shared.insert('Later');
  const answer = refusal(429, 'rateLimitExceeded', { 'retry-after': '1' });
  void shared.mailbox.proxy.fault({ path: /messages/ }, answer);
  const started = performance.now();
  expect(await shared.call('get_email', { message_id: id })).toMatchObject({ subject: 'Later' });
  expect(performance.now() - started).toBeGreaterThan(990);
});

test('refreshes an expired login once for many calls, and keeps the refresh token', async () => {
  using other = makeHome(shared.mailbox.url, { expiry_date: Date.now() - 1000 });
  await using own = await startServer({ home: other, url: shared.mailbox.url });
  const { proxy } = shared.mailbox;
  const asked = proxy.requests.length;
  const body = '{"access_token":"access-secret-2","expires_in":3600}';
  void proxy.fault({ path: '/oauth2/token', times: 9 }, { kind: 'answer', status: 200, body });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => own.call('list_emails', { max_results: 1 })),
  );
  expect(answers.every(({ emails }) => emails !== undefined)).toBe(true);
  const refreshes = proxy.requests.slice(asked).filter(({ path }) => path === '/oauth2/token');
  expect(refreshes).toHaveLength(1);
  expect(JSON.parse(readFileSync(other.tokens, 'utf8'))).toMatchObject({
    access_token: 'access-secret-2',
    refresh_token: 'refresh-secret-1',
  });
});

test('works without a login, says how to log in, and shows nothing secret', async () => {
  using other = makeHome(shared.mailbox.url);
  writeFileSync(other.tokens, '{}');
  await using own = await startServer({ home: other, url: shared.mailbox.url });
  expect(await own.call('health_check')).toMatchObject({
    status: 'degraded',
    authenticated_as: null,
    issues: [expect.stringMatching(/errand mail login$/)],
  });
  expect(await own.call('list_emails')).toMatchObject({
    error: 'auth_required',
    message: expect.stringMatching(/errand mail login$/),
  });
  writeFileSync(other.tokens, readFileSync(shared.home.tokens));
  expect(await own.call('list_emails')).toHaveProperty('emails');
  const shown =
    own.stderr() +
    shared.server.stderr() +
    readFileSync(`/proc/${shared.server.pid}/cmdline`, 'utf8');
  expect(shown).not.toMatch(/secret-1/);
  expect([...own.refused(), ...shared.server.refused()]).toEqual([]);
});

test('reaches for Google when nothing else is set, and the guard of these tests sees it', async () => {
  using other = makeHome(shared.mailbox.url);
  await using own = await startServer({ home: other, url: '' });
  const asking = own.call('list_emails').catch(() => undefined);
  await vi.waitFor(() => expect(own.refused().join()).toContain('gmail.googleapis.com'), 10_000);
  await own.client.close();
  await asking;
});

test('says that a write whose answer got lost may have been carried out', async () => {
  void shared.mailbox.proxy.fault({ method: 'POST', path: /drafts$/ }, { kind: 'cut-after' });
  expect(await shared.call('create_draft', { subject: 's', body: 'b' })).toMatchObject({
    error: 'mcp_unavailable',
    message: expect.stringMatching(/look before you try again\.$/),
  });
});

test('hides what nobody foresaw behind an id that is in the log', async () => {
  const body = '{"messages":5}';
  void shared.mailbox.proxy.fault({ path: /messages$/ }, { kind: 'answer', status: 200, body });
  const failure = await shared.call('list_emails');
  expect(failure).toMatchObject({ error: 'internal_error', details: { id: expect.any(String) } });
  const { id } = failure.details as { readonly id: string };
  await vi.waitFor(() => expect(shared.server.stderr()).toContain(id));
  expect(await shared.call('list_emails')).toHaveProperty('emails');
});

test('keeps its audit log in a folder of its own where there is no vault', async () => {
  using other = makeHome(shared.mailbox.url);
  const folder = join(other.folder, 'audit');
  mkdirSync(folder);
  const place = ['--audit', folder];
  await using own = await startServer({ home: other, url: shared.mailbox.url, place });
  const mail = { to: 'a@example.org', subject: 'Vaultless', body: 'b' };
  expect(await own.call('send_email', mail)).toHaveProperty('message_id');
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file), 'utf8')).toContain('"subject":"Vaultless"');
  expect(await own.call('get_attachment', { message_id: 'm', attachment_name: 'a' })).toMatchObject(
    { error: 'permission_denied', message: expect.stringContaining('--vault DIR') },
  );
});

test('has a place for its logs before it starts, and no ledger that it does not support', async () => {
  using other = makeHome(shared.mailbox.url);
  const start = (args: readonly string[], place?: readonly string[]) =>
    startServer({ home: other, url: shared.mailbox.url, args, ...(place && { place }) }).then(
      () => 'started',
      () => 'refused',
    );
  expect(await start([], [])).toBe('refused');
  expect(await start([], ['--vault', join(other.folder, 'none')])).toBe('refused');
  expect(await start(['--ledger', 'mysql://localhost/x'])).toBe('refused');
  expect(await start(['--attachments', '../x'])).toBe('refused');
  expect(await start(['--daily-cap', 'many'])).toBe('refused');
});
