import { expect, test } from 'vitest';
import { readDecision } from './decision-schema.ts';
import { outgoingOf } from './draft-note.ts';
import { findBounced } from './find-bounced.ts';
import { gateMail, type RawMail } from './mail-note.ts';
import type { MailNote, NoteHead } from './note-head.ts';
import { redactSecrets } from './redact-secrets.ts';
import { rawMail } from './testing/sample-mail.ts';

// A pattern whose time grows with the square of the length needs minutes or hours for these.
const megabyte = (piece: string) => piece.repeat(1_000_000 / piece.length);

test.each<[string, Partial<RawMail>]>([
  ['recipients without names', { to: megabyte('somebody@example.org, ') }],
  ['recipients that are no addresses', { to: megabyte('a') }],
  ['a sender of one word', { from: `${megabyte('a')}@example.org` }],
  ['brackets in the sender', { from: megabyte('<') }],
  ['brackets that close', { from: megabyte('>') }],
  ['a subject', { subject: megabyte('Re: ') }],
])('a megabyte of %s becomes a mail that can be stored', (_, part) => {
  const { from, to, subject } = gateMail({ ...rawMail, ...part });
  for (const text of [from, to, subject]) expect(text.length).toBeLessThanOrEqual(300);
});

test.each(['eyJ-', 'sk-', 'password is ', 'code ', 'A1-', '\n'])(
  'a megabyte of %j is searched for secrets',
  (piece) => {
    const { text } = redactSecrets(`${megabyte(piece)}\n\nPassword: hunter2`);
    expect(text).not.toContain('hunter2');
  },
);

test('a report with a megabyte of empty lines is searched for the mail that came back', async () => {
  const gated = gateMail({
    ...rawMail,
    from: 'mailer-daemon@example.org',
    subject: 'Undeliverable',
    body: `Sorry.\n${megabyte('\n')}> Message-ID: <ours@mail.example>`,
  });
  const note: NoteHead = {
    path: 'Done/d1.md',
    folder: 'Done',
    values: { type: 'draft_reply', draft_id: 'd1', to: 'bob@example.org', sent_message_id: 's1' },
    inode: '1',
    changedAt: 0,
  };
  expect(
    await findBounced(
      gated,
      () => [note],
      async () => ['s1'],
    ),
  ).toBe('d1');
});

test('an answer of a megabyte of empty lines is read', () => {
  expect(readDecision(`\`\`\`${megabyte('\n')}x`)).toHaveProperty('mistake');
  const decision = { decision: 'archive', confidence: 1, reasoning: 'Nothing to do.' };
  const fenced = `\`\`\`json\n${megabyte('\n')}${JSON.stringify(decision)}\n\`\`\``;
  expect(readDecision(fenced)).toMatchObject({ decision });
});

test.each(['spaces', 'empty lines'])('a draft with a megabyte of %s is read', (what) => {
  const gap = megabyte(what === 'spaces' ? ' ' : '\n');
  const note: MailNote = {
    path: 'Approved/d1.md',
    folder: 'Approved',
    values: { to: 'bob@example.org', subject: 'Hello' },
    body: `\n \nHello${gap}Bob\n${gap}`,
    etag: '1',
    inode: '1',
    changedAt: 0,
  };
  expect(outgoingOf(note).leaves?.body).toBe(`Hello${gap}Bob`);
});
