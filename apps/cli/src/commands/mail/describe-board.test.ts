import type { MailBoard, MailItem } from '@errand/mailroom';
import { expect, test } from 'vitest';
import { describeBoard } from './describe-board.ts';

const item: MailItem = {
  id: 'd4c1b0a95f3e7d21',
  kind: 'draft',
  path: 'Drafts/d1.md',
  folder: 'Drafts',
  state: 'waiting',
  isUrgent: false,
  who: 'ada@example.org',
  subject: 'Re: Beams',
};

test('a long subject or sender does not push the other mails apart', () => {
  const long = { ...item, id: 'long', who: 'a'.repeat(500), subject: 'b'.repeat(500) };
  const board: MailBoard = {
    state: 'running',
    counts: { waiting: 2, leaving: 0, wrong: 0 },
    folders: { Needs_Action: [], Drafts: [item, long], Approved: [], Done: [] },
    doneCount: 0,
  };
  const lines = describeBoard(board, true).split('\n');
  expect(lines.find((line) => line.includes('Re: Beams'))).toMatch(/ada@example\.org {2,50}Re:/);
  for (const line of lines) expect(line.length).toBeLessThan(200);
});
