import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome, startServer } from './testing/start-server.ts';
import { useServer } from './testing/use-server.ts';

const shared = useServer();

test('lists summaries, page by page', async () => {
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three'])
    ids.push(await shared.insert(`=?utf-8?Q?L=C3=AFst?= ${name}`));
  const first = await shared.call('list_emails', { query: 'Hello is:unread', max_results: 2 });
  expect(first).toEqual({
    emails: [expect.anything(), expect.anything()],
    total_count: 3,
    next_cursor: expect.any(String),
  });
  const rest = await shared.call('list_emails', {
    query: 'Hello is:unread',
    max_results: 2,
    cursor: first.next_cursor,
  });
  const bare = await shared.call('list_emails', { query: 'Hello is:unread', ids_only: true });
  expect(bare).toEqual({ emails: [], ids: expect.any(Array), total_count: 3 });
  expect((bare.ids as string[]).toSorted()).toEqual(ids.toSorted());
  const all = [first, rest].flatMap(({ emails }) => emails as { readonly id: string }[]);
  expect(all.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(all[0]).toEqual({
    id: expect.any(String),
    subject: expect.stringMatching(/^Lïst /),
    sender: 'Ada <ada@example.org>',
    date: '2026-02-03T09:00:00.000Z',
    snippet: 'Hello',
  });
  expect(rest).not.toHaveProperty('next_cursor');
});

test('reads a mail, and a long one in pages', async () => {
  const text = 'A line of text 😀\r\n'.repeat(300);
  const id = await shared.insert(
    'Long',
    `Message-ID: <long@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
  );
  const first = await shared.call('get_email', { message_id: id, max_length: 1000 });
  expect(first).toEqual({
    id,
    subject: 'Long',
    sender: 'Ada <ada@example.org>',
    to: 'owner@example.org',
    date: '2026-02-03T09:00:00.000Z',
    body: expect.stringMatching(/^A line of text 😀\n/),
    has_attachments: false,
    attachment_names: [],
    thread_id: expect.any(String),
    labels: ['INBOX', 'UNREAD'],
    message_id_header: '<long@x>',
    headers: {},
    truncated: true,
    next_cursor: expect.any(String),
  });
  let body = String(first.body);
  for (let page = first; page.truncated; ) {
    page = await shared.call('get_email', {
      message_id: id,
      max_length: 1000,
      cursor: page.next_cursor,
    });
    body += page.body;
  }
  expect(body).toBe(text.replaceAll('\r\n', '\n').trim());
  for (const cursor of ['-5', '1e2', '0x10', '1.0', '99999']) {
    expect(await shared.call('get_email', { message_id: id, cursor })).toMatchObject({
      error: 'invalid_input',
      message: expect.stringContaining('cursor'),
    });
  }
});

test('gives the cursor of Gmail back to it as it came', async () => {
  const { proxy } = shared.mailbox;
  const page = { messages: [], nextPageToken: 'a+b/c==' };
  const body = JSON.stringify(page);
  void proxy.fault({ path: /messages$/, times: 2 }, { kind: 'answer', status: 200, body });
  const { next_cursor } = await shared.call('list_emails');
  expect(await shared.call('list_emails', { cursor: next_cursor })).toHaveProperty('emails');
  expect(proxy.requests.at(-1)?.path).toContain('pageToken=a%2Bb%2Fc%3D%3D');
});

test('reads a mail of 25 MB while other calls go on, and gives the memory back', async () => {
  const attachment = Buffer.alloc(18 * 1024 * 1024, 'x')
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');
  const parts = [
    `--b\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(40_000)}deep`,
    `--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}`,
    '--b--',
  ];
  const id = await shared.insert(
    'Large',
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('\r\n')}`,
  );
  const reading = shared.call('get_email', { message_id: id });
  const quick = await shared.insert('Quick');
  expect(await shared.call('get_email', { message_id: quick })).toMatchObject({ subject: 'Quick' });
  expect(await reading).toMatchObject({ body: 'deep', attachment_names: ['a.pdf'] });
  expect(await shared.call('get_attachment', { message_id: id, attachment_name: 'a.pdf' })).toEqual(
    {
      path: 'Attachments/errand/a.pdf',
      size: 18 * 1024 * 1024,
      mime_type: 'application/pdf',
    },
  );
}, 60_000);

test('labels by name in any case, made once however many ask at once', async () => {
  const ids = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => shared.insert(`Label ${name}`)),
  );
  const answers = await Promise.all(
    ids.map((message_id, index) =>
      shared.call('add_label', {
        message_id,
        label_name: index % 2 === 0 ? 'AI_Processed' : 'ai_processed',
      }),
    ),
  );
  expect(answers.map(({ labelled }) => labelled)).toEqual(ids.map(() => true));
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ label }) => label)).size).toBe(1);
  const { labels } = await shared.mailbox.ask<{ labels: { name: string }[] }>('GET', 'labels');
  expect(labels.filter(({ name }) => name.toLowerCase() === 'ai_processed')).toHaveLength(1);
  expect(await shared.call('get_email', { message_id: ids[0] })).toMatchObject({
    labels: ['INBOX', 'UNREAD', answers[0]?.label],
  });
  expect(await shared.call('add_label', { message_id: ids[0], label_name: 'starred' })).toEqual({
    labelled: true,
    message_id: ids[0],
    label: 'STARRED',
    created: false,
  });
});

test.each([
  ['many mails in one request', 12, ['messages/batchModify']],
  ['a few mails one by one, which costs less', 2, ['modify', 'modify']],
])('labels %s, and passes over those that are gone', async (_, count, expected) => {
  const ids = await Promise.all(
    Array.from({ length: count }, (_, at) => shared.insert(`Together ${count} ${at}`)),
  );
  const label_name = `Together_${count}`;
  const label = { message_ids: [...ids, 'gone'], label_name };
  // Made before, and deleted by somebody since it was looked up.
  await shared.call('label_emails', { message_ids: ids.slice(0, 1), label_name });
  const { labels } = await shared.mailbox.ask<{ labels: { id: string; name: string }[] }>(
    'GET',
    'labels',
  );
  const made = labels.find(({ name }) => name === label_name)?.id;
  await shared.mailbox.ask('DELETE', `labels/${made}`);
  const before = shared.mailbox.proxy.requests.length;
  expect(await shared.call('label_emails', label)).toEqual({ label: label_name, created: true });
  const found = await shared.mailbox.ask<{ messages: { id: string }[] }>(
    'GET',
    `messages?maxResults=100&q=label:${label_name}`,
  );
  expect(found.messages.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const asked = shared.mailbox.proxy.requests
    .slice(before)
    .map(({ path }) => path)
    .filter((path) => /modify$/i.test(path) && !path.includes('/gone/'));
  expect(asked.slice(-expected.length)).toEqual(
    expected.map((end) => expect.stringMatching(new RegExp(`${end}$`))),
  );
  expect(asked.length).toBeLessThanOrEqual(2 * expected.length);
});

test('makes no label for a mail that does not exist', async () => {
  expect(
    await shared.call('add_label', { message_id: 'none', label_name: 'Nobody needs this' }),
  ).toMatchObject({ error: 'not_found' });
  const { labels } = await shared.mailbox.ask<{ labels: { name: string }[] }>('GET', 'labels');
  expect(labels.map(({ name }) => name)).not.toContain('Nobody needs this');
});

test('uses a label that another program made meanwhile', async () => {
  const id = await shared.insert('Race');
  const { promise: until, resolve } = Promise.withResolvers<void>();
  void shared.mailbox.proxy
    .fault({ method: 'POST', path: /labels$/ }, { kind: 'hold-before', until })
    .then(() => shared.mailbox.ask('POST', 'labels', { name: 'Raced' }))
    .finally(resolve);
  expect(await shared.call('add_label', { message_id: id, label_name: 'raced' })).toMatchObject({
    label: 'Raced',
    created: false,
  });
});

test('moves out of the inbox and back', async () => {
  const id = await shared.insert('Move');
  expect(await shared.call('move_email', { message_id: id, destination_label: 'Done' })).toEqual({
    moved: true,
    message_id: id,
    label: 'Done',
  });
  expect(await shared.call('get_email', { message_id: id })).toMatchObject({
    labels: ['UNREAD', 'Done'],
  });
  expect(
    await shared.call('move_email', { message_id: id, destination_label: 'inbox' }),
  ).toMatchObject({
    label: 'INBOX',
  });
  expect(await shared.call('get_email', { message_id: id })).toMatchObject({
    labels: ['UNREAD', 'Done', 'INBOX'],
  });
});

test('saves attachments under harmless names and over nothing', async () => {
  const part = (name: string, text: string) =>
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}`;
  const mixed = (...parts: string[]) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${[...parts, '--b--'].join('\r\n')}`;
  const names = ['../../.ssh/authorized_keys', '.bashrc', 'CON.txt', 'a:b?.txt', 'n.txt', 'n.txt'];
  const id = await shared.insert(
    'Files',
    mixed(...names.map((name, index) => part(name, `content ${index}`))),
  );
  const { attachment_names, has_attachments } = await shared.call('get_email', { message_id: id });
  expect(has_attachments).toBe(true);
  const saved: string[] = [];
  for (const attachment_name of attachment_names as string[]) {
    saved.push(
      String((await shared.call('get_attachment', { message_id: id, attachment_name })).path),
    );
  }
  expect(saved.map((path) => path.replace('Attachments/errand/', ''))).toEqual([
    'authorized_keys',
    'bashrc',
    '_CON.txt',
    'a_b_.txt',
    'n.txt',
    'n (2).txt',
  ]);
  expect(readFileSync(join(shared.home.vault, saved[5] ?? ''), 'utf8')).toBe('content 5');
  const again = await shared.insert('Files again', mixed(part('n.txt', 'other')));
  const [first, second] = [
    await shared.call('get_attachment', { message_id: id, attachment_name: 'n.txt' }),
    await shared.call('get_attachment', { message_id: again, attachment_name: 'n.txt' }),
  ];
  expect([first?.path, second?.path]).toEqual([saved[4], 'Attachments/errand/n (3).txt']);
  expect(
    await shared.call('get_attachment', { message_id: id, attachment_name: 'none' }),
  ).toMatchObject({
    error: 'not_found',
    details: { attachment_names },
  });
});

test('does not follow a link out of the vault', async () => {
  using other = makeHome(shared.mailbox.url);
  mkdirSync(join(other.folder, 'outside'));
  symlinkSync(join(other.folder, 'outside'), join(other.vault, 'Attachments'));
  symlinkSync(join(other.folder, 'outside'), join(other.vault, 'Logs'));
  await using linked = await startServer({ home: other, url: shared.mailbox.url });
  const id = await shared.insert(
    'Linked',
    'Content-Type: text/plain; name=x.txt\r\nContent-Disposition: attachment\r\n\r\nx',
  );
  expect(
    await linked.call('get_attachment', { message_id: id, attachment_name: 'x.txt' }),
  ).toMatchObject({ error: 'permission_denied' });
  expect(
    await linked.call('send_email', { to: 'a@x.org', subject: 'No log', body: 'b' }),
  ).toMatchObject({
    error: 'send_failed',
    message: expect.stringMatching(/^Nothing was sent, because the audit log/),
  });
  expect(readdirSync(join(other.folder, 'outside'))).toEqual([]);
  expect(await shared.mailbox.sent('No log')).toEqual([]);
});

test('writes, lists and deletes drafts, and reads threads', async () => {
  const id = await shared.insert('Question', 'Message-ID: <q@x>\r\n\r\nWhat?');
  const draft = await shared.call('create_draft', {
    to: 'Ada <ada@example.org>',
    subject: 'Re: Question',
    body: 'That.',
    reply_to_message_id: id,
  });
  const { thread_id } = await shared.call('get_email', { message_id: id });
  expect(draft).toEqual({
    draft_id: expect.any(String),
    message_id: expect.any(String),
    thread_id,
  });
  expect((await shared.call('list_drafts')).drafts).toContainEqual({
    ...draft,
    subject: 'Re: Question',
    to: 'Ada <ada@example.org>',
    date: expect.any(String),
    snippet: 'That.',
  });
  expect(await shared.call('get_thread', { thread_id })).toMatchObject({
    thread_id,
    emails: [
      { id, body: 'What?' },
      { subject: 'Re: Question', body: 'That.' },
    ],
    truncated: false,
  });
  expect(await shared.call('delete_draft', { draft_id: draft.draft_id })).toEqual({
    deleted: true,
  });
  expect(await shared.call('delete_draft', { draft_id: draft.draft_id })).toMatchObject({
    error: 'not_found',
  });
});
