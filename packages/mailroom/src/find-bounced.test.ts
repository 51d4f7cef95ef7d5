import { expect, test } from 'vitest';
import { findBounced } from './find-bounced.ts';
import { gateMail } from './mail-note.ts';
import type { NoteHead } from './note-head.ts';

const sent = (id: string, to: string, thread: string): NoteHead => ({
  path: `Done/${id}.md`,
  folder: 'Done',
  values: { type: 'draft_reply', draft_id: id, to, sent_message_id: `s-${id}`, thread_id: thread },
  inode: id,
  changedAt: 0,
});
const notes = [
  sent('d1', 'bob@example.org', 't1'),
  sent('d2', 'ada@example.org', 't2'),
  sent('d3', 'cy@example.org', 't2'),
];

interface Report {
  readonly from?: string;
  readonly threadId?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a mail about ada@example.org is joined to, and what is looked up for that. */
async function join({ headers = {}, ...given }: Report) {
  const asked: string[] = [];
  const mail = gateMail({
    id: 'm9',
    threadId: 'other',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    to: 'owner@example.org',
    subject: 'Delivery Status Notification (Failure)',
    date: '',
    body: 'Your message to ada@example.org could not be delivered.',
    attachments: [],
    isCut: false,
    ...given,
    headers: { 'x-failed-recipients': 'ada@example.org', ...headers },
  });
  const draft = await findBounced(
    mail,
    () => notes,
    async (id) => {
      asked.push(id);
      return id === 'ours@mail.example' ? ['s-d2'] : [];
    },
  );
  return { draft, asked };
}

test.each<[string, Report, string | undefined]>([
  ['that only names an address', {}, undefined],
  ['of anybody in the thread', { from: 'eve@evil.example', threadId: 't2' }, undefined],
  [
    'of anybody that names what we sent',
    { from: 'eve@evil.example', headers: { 'in-reply-to': '<ours@mail.example>' } },
    undefined,
  ],
  ['about another mail', { headers: { references: '<theirs@mail.example>' } }, undefined],
  ['in the thread', { threadId: 't2' }, 'd2'],
  ['of a postmaster in the thread', { from: 'postmaster@example.org', threadId: 't2' }, 'd2'],
  [
    'without a return path in the thread',
    { from: 'exchange@example.org', threadId: 't2', headers: { 'return-path': '<>' } },
    'd2',
  ],
  ['that answers what we sent', { headers: { 'in-reply-to': '<ours@mail.example>' } }, 'd2'],
  [
    'that refers to what we sent last',
    { headers: { references: '<first@mail.example> <ours@mail.example>' } },
    'd2',
  ],
  [
    'that quotes what we sent',
    { body: 'Headers:\n> Subject: Hi\n> Message-ID: <ours@mail.example>\n' },
    'd2',
  ],
])(
  'a report %s is joined to what it proves to be about, or to nothing',
  async (_, report, draft) => {
    expect((await join(report)).draft).toBe(draft);
  },
);

test('nothing that a stranger writes becomes a part of a search, and not much is looked up', async () => {
  const odd = '<a b@x> <"q"@x> <x@y} in:anywhere> <(a)@x>';
  const many = Array.from({ length: 40 }, (_, at) => `Message-ID: <n${at}@x>`).join('\n');
  const { asked } = await join({ headers: { references: odd }, body: many });
  expect(asked).toEqual(['n0@x', 'n1@x', 'n2@x', 'n3@x', 'n4@x']);
});
