import { expect, test } from 'vitest';
import type { MailBoard, MailFolder, MailItem } from '../../contract.ts';
import { mailGroups, moveTo, neighbour, nextAfter } from './mail-order.ts';

const item = (
  id: string,
  kind: MailItem['kind'],
  folder: MailFolder,
  state: MailItem['state'],
  relatedId?: string,
): MailItem => ({
  id,
  kind,
  folder,
  state,
  path: `${folder}/${id}.md`,
  isUrgent: false,
  who: 'a@example.org',
  subject: id,
  ...(relatedId !== undefined && { relatedId }),
});

const answered = item('m1', 'mail', 'Needs_Action', 'answered', 'd1');
const asked = item('m2', 'mail', 'Needs_Action', 'needs-info');
const orphan = item('m3', 'mail', 'Needs_Action', 'answered', 'gone');
const draft = item('d1', 'draft', 'Drafts', 'waiting', 'm1');
const leaving = item('d2', 'draft', 'Approved', 'approved');
const sent = item('d3', 'draft', 'Done', 'sent');

const board: MailBoard = {
  state: 'running',
  counts: { waiting: 2, leaving: 1, wrong: 0 },
  folders: {
    Needs_Action: [answered, asked, orphan],
    Drafts: [draft],
    Approved: [leaving],
    Done: [sent],
  },
  doneCount: 1,
};
const groups = mailGroups(board);

test('drafts are read first, and a mail with a draft is read beside it', () => {
  expect(groups.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ['d1'],
    ['m2', 'm3'],
    ['d2'],
    ['d3'],
  ]);
});

test('the next and the previous note stay inside the list', () => {
  expect(neighbour(groups, undefined, 1)?.id).toBe('d1');
  expect(neighbour(groups, 'd1', 1)?.id).toBe('m2');
  expect(neighbour(groups, 'd1', -1)?.id).toBe('d1');
  expect(neighbour(groups, 'd3', 1)?.id).toBe('d3');
});

test('after a note was dealt with, the next one that is open follows', () => {
  expect(nextAfter(groups, 'd1')?.id).toBe('m2');
  expect(nextAfter(groups, 'd2')?.id).toBe('m3');
  const one = mailGroups({
    ...board,
    folders: { ...board.folders, Approved: [], Needs_Action: [] },
  });
  expect(nextAfter(one, 'd1')).toBeUndefined();
});

const unclear = item('u', 'draft', 'Approved', 'unclear');
test.each([
  [draft, 'Approved', 'approve'],
  [draft, 'Done', 'reject'],
  [draft, 'Needs_Action', undefined],
  [leaving, 'Drafts', 'withdraw'],
  [leaving, 'Done', 'reject'],
  [asked, 'Done', 'reject'],
  [asked, 'Approved', undefined],
  [asked, 'Drafts', undefined],
  [sent, 'Approved', undefined],
  [sent, 'Drafts', undefined],
  [unclear, 'Drafts', undefined],
  [unclear, 'Done', undefined],
  [item('x', 'draft', 'Drafts', 'unreadable'), 'Approved', undefined],
] as const)('dropping %j on %s: %s', (dropped, folder, move) => {
  expect(moveTo(dropped, folder)).toBe(move);
});
