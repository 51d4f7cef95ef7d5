import { expect, test } from 'vitest';
import {
  approvedDraft,
  digestOf,
  draftBody,
  draftValues,
  idempotencyKey,
  outgoingOf,
  writtenIn,
} from './draft-note.ts';
import type { MailNote } from './note-head.ts';

function draft(values: MailNote['values'], more: Partial<MailNote> = {}): MailNote {
  return {
    path: 'Drafts/a.md',
    folder: 'Drafts',
    values,
    inode: '1:1',
    changedAt: 0,
    body: '\nText\n',
    etag: 'e',
    ...more,
  };
}

test('what would leave has every recipient, and nothing of what surrounds the text', () => {
  const values = {
    to: ['Ada <ada@example.org>', 'bob@example.org'],
    cc: 'cy@example.org',
    bcc: 'dee@example.org',
    subject: 7,
    original_message_id: 'm1',
  };
  const mail = {
    to: 'Ada <ada@example.org>, bob@example.org',
    cc: 'cy@example.org',
    bcc: 'dee@example.org',
    subject: '7',
    body: 'Text',
  };
  expect(outgoingOf(draft(values))).toEqual({
    leaves: { ...mail, replyToMessageId: 'm1' },
    mistakes: [],
  });
  expect(approvedDraft(draft(values))).toEqual({
    filepath: 'Drafts/a.md',
    ...mail,
    reply_to_message_id: 'm1',
  });
  expect(writtenIn(draft(values))).toEqual({ ...mail, body: '\nText\n' });
});

test.each([
  ['an address of several', { to: 'ada@example.org, bob at home' }, 'to', 'bob at home'],
  ['an address in a copy', { to: 'a@b.c', bcc: 'nobody' }, 'bcc', 'nobody'],
  ['a map', { to: { ada: 'example.org' } }, 'to', '{"ada":"example.org"}'],
  ['a list of something else', { to: [{ a: 10n }] }, 'to', '[{"a":"10"}]'],
  [
    'a line break in the subject',
    { to: 'a@b.c', subject: 'a\nBcc: x@y.z' },
    'subject',
    'a\nBcc: x@y.z',
  ],
] as const)('a draft with %s says what is wrong and what was written', (_, values, field, text) => {
  const note = draft({ subject: 'Hi', ...values } as MailNote['values']);
  const { leaves, mistakes } = outgoingOf(note);
  expect(leaves).toBeUndefined();
  expect(mistakes).toEqual([{ field, code: 'invalid', text }]);
  expect(writtenIn(note)[field]).toContain(text);
});

test('what is missing is named, and of a note that cannot be read its lines are shown', () => {
  expect(outgoingOf(draft({}, { body: ' \n' })).mistakes).toEqual([
    { field: 'to', code: 'missing' },
    { field: 'subject', code: 'missing' },
    { field: 'body', code: 'missing' },
  ]);
  const frontmatter = '---\nto: [ada\n---\n';
  const broken = draft({}, { problem: 'line 2: no end', frontmatter, body: 'Mine' });
  expect(outgoingOf(broken)).toEqual({
    mistakes: [{ field: 'frontmatter', code: 'invalid', text: 'line 2: no end' }],
  });
  expect(writtenIn(broken)).toEqual({ body: 'Mine', frontmatter });
});

const approved = {
  draft_id: 'd1',
  to: 'ada@example.org',
  subject: 'Hi',
  reply_to_message_id: 'm1',
};

test.each<[string, MailNote['values'], string?]>([
  ['another recipient', { to: 'eve@example.org' }],
  ['a copy', { cc: 'eve@example.org' }],
  ['a hidden copy', { bcc: 'eve@example.org' }],
  ['another subject', { subject: 'Bye' }],
  ['another mail that it answers', { reply_to_message_id: 'm2' }],
  ['another text', {}, 'Never\n'],
  ['a recipient that cannot be', { to: 'eve' }],
])('a draft with %s is another mail', (_, values, body = '\nText\n') => {
  const digest = digestOf(draft(approved));
  expect(digestOf(draft({ ...approved, ...values }, { body }))).not.toBe(digest);
});

test('a draft is the same mail wherever it lies, and whatever else is written into it', () => {
  const note = draft(approved);
  const elsewhere = { path: 'Approved/b.md', folder: 'Approved', body: 'Text\n\n\n' } as const;
  expect(digestOf(draft({ ...approved, mine: 1, status: 'done' }, elsewhere))).toBe(digestOf(note));
  for (const key of ['original_message_id', 'source_message_id']) {
    const { reply_to_message_id: answered, ...rest } = approved;
    expect(digestOf(draft({ ...rest, [key]: answered }))).toBe(digestOf(note));
  }
});

test('a mail is sent under the same key until a person says that it did not leave', () => {
  const key = (values: object) => idempotencyKey(draft({ ...values }), 'd1', 'a'.repeat(32));
  expect(key({})).toBe(`d1.${'a'.repeat(16)}`);
  expect(key({ send_round: 1 })).toBe(`d1.${'a'.repeat(16)}.1`);
  // Both stand in the note, where anybody can write anything.
  const odd = idempotencyKey(draft({}), `d\u00e4\n${'x'.repeat(200)}`, '\u0000b');
  expect(odd).toMatch(/^[!-~]{1,120}$/);
});

test('a reply has the subject of its mail, marked once, and nothing that loads where it is read', () => {
  const values = (subject: string) =>
    draftValues(
      { id: 'd1', messageId: 'm1', to: 'a@b.c', subject, by: 'p:m', isUrgent: true },
      Date.UTC(2026, 1, 3),
    );
  expect(values('Hi')).toEqual({
    type: 'draft_reply',
    status: 'pending_approval',
    draft_id: 'd1',
    source_message_id: 'm1',
    reply_to_message_id: 'm1',
    to: 'a@b.c',
    subject: 'Re: Hi',
    drafted_by: 'p:m',
    drafted_at: '2026-02-03T00:00:00.000Z',
    priority: 'urgent',
  });
  for (const subject of ['Re: Hi', 'AW: Hi', 'rép : Hi'])
    expect(values(subject)).toMatchObject({ subject });
  expect(draftBody('Hi\r\n![x](https://evil.example/p.png)')).not.toContain('![x](');
});

test('a draft with other line ends is the same mail', () => {
  const values = { to: 'ada@example.org', subject: 'Hi' };
  const [one, other] = ['\n', '\r\n'].map((end) =>
    draft(values, { body: ['', 'Two', 'lines', ''].join(end) }),
  ) as [MailNote, MailNote];
  expect(outgoingOf(other).leaves?.body).toBe('Two\nlines');
  expect(digestOf(other)).toBe(digestOf(one));
});
