import { expect, test } from 'vitest';
import { approvedDraft, outgoingOf, writtenIn } from './draft-note.ts';
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
