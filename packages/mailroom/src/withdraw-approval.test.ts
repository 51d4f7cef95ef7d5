import { expect, test } from 'vitest';
import type { MailNote } from './note-head.ts';
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
