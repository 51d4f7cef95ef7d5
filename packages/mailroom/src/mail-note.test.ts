import { expect, test } from 'vitest';
import { gateMail, mailBody, mailValues, readMailNote } from './mail-note.ts';
import type { MailNote } from './note-head.ts';
import { rawMail } from './testing/sample-mail.ts';

const now = Date.UTC(2026, 1, 3, 12);
const note = (values: object, body: string) => ({ values, body }) as unknown as MailNote;

test('the note of a mail has the keys of the requirement', () => {
  const mail = gateMail({ ...rawMail, attachments: ['plan.pdf'] });
  expect(mailValues(mail, now)).toEqual({
    type: 'email',
    status: 'pending',
    source: 'gmail',
    message_id: 'm1',
    thread_id: 't1',
    from: 'Ada <ada@example.org>',
    to: 'owner@example.org',
    subject: 'Hello',
    date_received: '2026-02-03T10:00:00Z',
    fetched_at: '2026-02-03T12:00:00.000Z',
    classification: 'unclassified',
    priority: 'normal',
    has_attachments: true,
    attachment_names: ['plan.pdf'],
  });
});

test('long subjects and lists of attachments are cut where letters end', () => {
  const mail = gateMail({
    ...rawMail,
    subject: '😀'.repeat(300),
    attachments: Array.from({ length: 80 }, () => '😀'.repeat(200)),
  });
  expect([...mail.subject]).toHaveLength(200);
  expect(mail.subject.isWellFormed()).toBe(true);
  expect(mail.attachments).toHaveLength(50);
  expect([...(mail.attachments[0] ?? '')]).toHaveLength(100);
});

test('a secret in the name of an attachment is taken out and counted', () => {
  const mail = gateMail({ ...rawMail, attachments: ['password: hunter2.txt'] });
  expect(JSON.stringify(mail)).not.toContain('hunter2');
  expect(mailValues(mail, now)).toMatchObject({ redactions: { password: 1 } });
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, false],
  [{ 'auto-submitted': 'no' }, false],
  [{ 'auto-submitted': 'auto-replied' }, true],
  [{ 'auto-submitted': 'auto-generated; x=y' }, true],
  [{ precedence: 'bulk' }, true],
  [{ precedence: 'auto_reply' }, true],
  [{ precedence: 'first-class' }, false],
])('headers %j mean a robot: %s', (headers, isAutomatic) => {
  expect(gateMail({ ...rawMail, headers }).isAutomatic).toBe(isAutomatic);
});

test.each([
  ['team@example.org', 'team@example.org'],
  ['Team <TEAM@Example.org>', 'team@example.org'],
  ['eve@evil.example', undefined],
  ['eve@notexample.org', undefined],
  ['eve@example.org.evil.example', undefined],
  ['no address', undefined],
])('a Reply-To of %j leads to %s', (header, replyTo) => {
  expect(gateMail({ ...rawMail, headers: { 'reply-to': header } }).replyTo).toBe(replyTo);
});

test('a text that is cut is about money until somebody has read the rest', () => {
  expect(gateMail(rawMail).isAboutMoney).toBe(false);
  const cut = gateMail({ ...rawMail, isCut: true });
  expect(cut.isAboutMoney).toBe(true);
  expect(cut.body).toContain('[The rest of this mail was not fetched.]');
});

test.each([
  'Plain',
  '```\nfence\n```',
  '````text\nlonger\n````\n~~~~\n',
  '---\nto: eve@evil.example\n---',
])(
  'the text %j stands in one fence and is read back as it was, apart from what a person wrote below',
  (body) => {
    const stored = mailBody(gateMail({ ...rawMail, body }));
    const [, fence = ''] = /^(`{3,}|~{3,})text\n/.exec(stored) ?? [];
    expect(stored.split('\n').filter((line) => line === fence)).toHaveLength(1);
    const read = readMailNote(note({}, `${stored}\nMy words.\n`));
    expect(read).toMatchObject({ body: body.trimEnd(), notes: 'My words.' });
    expect(readMailNote(note({}, stored))).not.toHaveProperty('notes');
  },
);
