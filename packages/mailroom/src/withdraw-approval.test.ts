import { expect, onTestFinished, test } from 'vitest';
import type { SendStatus } from './mailbox.ts';
import type { MailNote } from './note-head.ts';
import { planRound } from './plan-round.ts';
import { openPorts } from './testing/open-ports.ts';
import { withdrawApproval } from './withdraw-approval.ts';

const changed: MailNote = {
  path: 'Approved/a.md',
  folder: 'Approved',
  values: { type: 'draft_reply', draft_id: 'd1', approved_hash: 'of another text', to: 'a@b.c' },
  body: 'Text\n',
  inode: '1:1',
  changedAt: 0,
  etag: '',
};

test('a draft that cannot leave Approved keeps what was approved, so that it is not sent', async () => {
  const done: string[] = [];
  const notes = {
    move: async () => {
      done.push('move');
      throw new Error('the disk is full');
    },
    update: async () => void done.push('update'),
  };
  const mailbox = { status: async () => ({ kind: 'not-sent' }) };
  const ports = { notes, mailbox } as unknown as Parameters<typeof withdrawApproval>[2];
  await expect(withdrawApproval(changed, 's', ports)).rejects.toThrow('the disk is full');
  expect(done).toEqual(['move']);
});

const draft = {
  type: 'draft_reply',
  draft_id: 'd1',
  to: 'ada@example.org',
  subject: 'Hi',
  approved_at: '2026-02-03T10:00:00.000Z',
  send_attempts: 1,
  next_try_at: '2026-02-03T10:01:00.000Z',
};
const sent = { messageId: 's1', threadId: 't1', sentAt: '2026-02-03T10:00:00.000Z' };
const unsent = { kind: 'not-sent' } as const;

/** Withdraws the approval of a draft of which the mail server knows this. */
async function withdraw(path: string, status: SendStatus, values: object = {}) {
  const keys: string[] = [];
  const place = openPorts(onTestFinished, {
    status: async (key) => {
      keys.push(key);
      return status;
    },
  });
  place.write(path, { ...draft, approved_hash: 'x'.repeat(32), ...values });
  const note = await place.notes.read(path);
  if (note === undefined) throw new Error('no note');
  await withdrawApproval(note, 's', place.ports);
  const [now = ''] = place.paths();
  return { ...place, keys, now, values: await place.values(now) };
}

test('what was changed in Approved and has not left waits in Drafts for another approval, as if it had never been tried', async () => {
  const { now, values, keys, logged, notices } = await withdraw('Approved/a.md', unsent);
  expect(now).toBe('Drafts/a.md');
  const { approved_at: _, send_attempts: __, next_try_at: ___, ...left } = draft;
  expect(values).toEqual({ ...left, approval: 'changed' });
  // Asked for under what was approved, not under what is there now.
  expect(keys).toEqual([`d1.${'x'.repeat(16)}`]);
  expect(logged).toMatchObject([{ event: 'approval_withdrawn', severity: 'WARNING' }]);
  expect(notices).toMatchObject([{ level: 'warning' }]);
});

test('a draft that a person took back and that has not left is a draft like any other', async () => {
  const { now, values, notices } = await withdraw('Drafts/a.md', unsent);
  expect(now).toBe('Drafts/a.md');
  for (const key of ['approved_hash', 'approved_at', 'send_attempts', 'next_try_at', 'approval'])
    expect(values).not.toHaveProperty(key);
  expect(notices).toEqual([]);
});

test.each(['Approved/a.md', 'Drafts/a.md'])(
  '%s that has left says so, also in another text',
  async (path) => {
    const { now, values, notices, logged, told } = await withdraw(path, { kind: 'sent', sent });
    expect(now).toBe(path);
    expect(values).toMatchObject({
      status: 'done',
      sent_message_id: 's1',
      sent_at: sent.sentAt,
      thread_id: 't1',
      changed_after_sending: true,
    });
    expect(values).not.toHaveProperty('next_try_at');
    expect(notices).toEqual([]);
    expect(logged).toMatchObject([
      { event: 'email_sent', draft_id: 'd1', to: 'ada@example.org', sent_message_id: 's1' },
    ]);
    expect(told).toEqual([`mail-sent ${path}`]);
  },
);

test.each(['Approved/a.md', 'Drafts/a.md'])(
  '%s of which nobody knows whether it left is a question in Approved, and is not sent',
  async (path) => {
    const { now, values, ports } = await withdraw(path, { kind: 'unclear' });
    expect(now).toBe('Approved/a.md');
    expect(values).toMatchObject({ send_state: 'unclear', approved_hash: 'x'.repeat(32) });
    expect(values).not.toHaveProperty('next_try_at');
    await ports.notes.refresh();
    expect(planRound(ports.notes.heads, { now: 0, remindMs: 1, expireMs: 1 })).toEqual([]);
  },
);

test('nothing is asked about a draft that was never approved', async () => {
  const { keys } = await withdraw('Drafts/a.md', unsent, { approved_hash: '' });
  expect(keys).toEqual([]);
});
