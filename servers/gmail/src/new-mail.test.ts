import { expect, test } from 'vitest';
import { makeOlder } from './testing/kill-sends.ts';
import { refusal } from './testing/mailbox.ts';
import { useServer } from './testing/use-server.ts';

const shared = useServer();

interface NewMails {
  readonly emails: readonly { readonly id: string }[];
  readonly history_id: string;
  readonly has_more: boolean;
  readonly resync: boolean;
}

async function newMails(history_id?: string, more: object = {}): Promise<NewMails> {
  return (await shared.call('list_new_emails', { history_id, ...more })) as unknown as NewMails;
}

test('lists what came into the inbox since a point in the history', async () => {
  expect(await newMails()).toEqual({ emails: [], history_id: '0', has_more: false, resync: false });
  await shared.insert('Before');
  const start = await newMails();
  const ids = [await shared.insert('One'), await shared.insert('Two')];
  await shared.call('send_email', { to: 'a@example.org', subject: 'Own', body: 'b' });
  await shared.call('create_draft', { to: 'a@example.org', subject: 'Draft', body: 'b' });
  const gone = await shared.insert('Gone');
  await shared.mailbox.ask('DELETE', `messages/${gone}`);
  const asked = shared.mailbox.proxy.requests.length;
  const bare = await newMails(start.history_id, { ids_only: true });
  expect(bare).toMatchObject({ emails: [], ids: expect.arrayContaining(ids) });
  // Nothing of any mail was asked for, so none can keep the others from being listed.
  expect(shared.mailbox.proxy.requests.slice(asked).map(({ path }) => path)).toEqual([
    expect.stringContaining('/history?'),
  ]);
  const first = await newMails(start.history_id);
  expect(first).toMatchObject({
    emails: [
      {
        id: ids[0],
        subject: 'One',
        sender: 'Ada <ada@example.org>',
        date: '2026-02-03T09:00:00.000Z',
        snippet: 'Hello',
      },
      { id: ids[1], subject: 'Two' },
    ],
    has_more: false,
    resync: false,
  });
  expect((await newMails(first.history_id)).emails).toEqual([]);
  // Asked again from the same point, because the reader crashed before it kept the answer.
  expect((await newMails(start.history_id)).emails).toEqual(first.emails);
});

test('goes on where a page ended, so that a reader that stops in between loses nothing', async () => {
  let { history_id } = await newMails();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await shared.insert(`Page ${name}`));
  const seen: string[] = [];
  const pages: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await newMails(history_id, { max_results: 2 });
    seen.push(...page.emails.map(({ id }) => id));
    pages.push(page.emails.length);
    ({ history_id, has_more: hasMore } = page);
  }
  expect(seen).toEqual(ids);
  expect(pages).toEqual([2, 2, 1]);
});

test('lists a mail that was put into the inbox later, and each mail once', async () => {
  const { id: spam = '' } = await shared.mailbox.ask<{ id?: string }>('POST', 'messages', {
    raw: Buffer.from('From: b@example.org\r\nSubject: Spam?\r\n\r\nNo').toString('base64url'),
    labelIds: ['SPAM'],
  });
  const { history_id } = await newMails();
  await shared.call('move_email', { message_id: spam, destination_label: 'INBOX' });
  await shared.call('move_email', { message_id: spam, destination_label: 'Done' });
  await shared.call('move_email', { message_id: spam, destination_label: 'INBOX' });
  expect((await newMails(history_id)).emails.map(({ id }) => id)).toEqual([spam]);
});

test('says when Gmail does not reach back so far, and where to go on', async () => {
  await shared.insert('Missed');
  void shared.mailbox.proxy.fault({ path: /history$/ }, refusal(404, 'notFound'));
  const lost = await newMails('1');
  expect(lost).toMatchObject({ emails: [], has_more: false, resync: true });
  await shared.insert('After');
  expect((await newMails(lost.history_id)).emails).toMatchObject([{ subject: 'After' }]);
});

test('takes the point in the history from the profile of the mailbox', async () => {
  const body = JSON.stringify({ emailAddress: 'owner@example.org', historyId: '12345' });
  void shared.mailbox.proxy.fault({ path: /profile$/ }, { kind: 'answer', status: 200, body });
  expect(await newMails()).toMatchObject({ history_id: '12345' });
  void shared.mailbox.proxy.fault({ path: /profile$/ }, refusal(403, 'insufficientPermissions'));
  expect(await newMails()).toMatchObject({ error: 'permission_denied' });
});

test('shows the headers that say how to answer, and that no person wrote a mail', async () => {
  const id = await shared.insert(
    'Robot',
    [
      'Reply-To: =?utf-8?Q?B=C3=BCro?= <office@example.org>',
      'Cc: c@example.org',
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'X-Failed-Recipients: d@example.org',
      'In-Reply-To: <one@x>',
      'References: <zero@x>\r\n <one@x>',
      '',
      'Hello',
    ].join('\r\n'),
  );
  const { headers } = await shared.call('get_email', { message_id: id });
  expect(headers).toMatchObject({
    'reply-to': 'Büro <office@example.org>',
    cc: 'c@example.org',
    'in-reply-to': '<one@x>',
    references: '<zero@x> <one@x>',
  });
});

test('tells what became of a mail under its key, and sends nothing for it', async () => {
  const status = (idempotency_key: string) => shared.call('get_send_status', { idempotency_key });
  const mail = (key: string) => ({
    to: 'a@example.org',
    subject: `Status-${key}`,
    body: 'b',
    idempotency_key: key,
  });
  expect(await status('never')).toEqual({
    state: 'unknown',
    message_id: null,
    thread_id: null,
    draft_id: null,
    sent_at: null,
    changed_at: null,
  });
  const sent = await shared.call('send_email', mail('done'));
  expect(await status('done')).toMatchObject({ ...sent, state: 'sent' });
  void shared.mailbox.proxy.fault({ path: /send$/ }, { kind: 'cut-before' });
  const { details } = await shared.call('send_email', mail('lost'));
  const { draft_id } = details as { readonly draft_id: string };
  expect(await status('lost')).toMatchObject({ state: 'pending', draft_id, sent_at: null });
  expect(await shared.mailbox.sent('Status-lost')).toEqual([]);
  await shared.mailbox.ask('DELETE', `drafts/${draft_id}`);
  makeOlder(shared.home);
  await shared.call('send_email', mail('lost'));
  expect(await status('lost')).toMatchObject({ state: 'unclear', draft_id });
});
