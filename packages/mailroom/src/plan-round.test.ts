import { expect, test } from 'vitest';
import type { MailFolder } from './mail-board.ts';
import type { NoteHead } from './note-head.ts';
import { itemOf } from './note-item.ts';
import { mailTime, noteName } from './note-name.ts';
import { planRound } from './plan-round.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 1, 3, 12);
const times = { now, remindMs: 24 * hour, expireMs: 48 * hour };
let count = 0;

function note(
  folder: MailFolder,
  values: Readonly<Record<string, unknown>>,
  problem?: string,
): NoteHead {
  count += 1;
  const path = `${folder}/${count}.md`;
  return {
    path,
    folder,
    values,
    inode: String(count),
    changedAt: 0,
    ...(problem !== undefined && { problem }),
  };
}
const mail = (values: object = {}, folder: MailFolder = 'Needs_Action') =>
  note(folder, { type: 'email', status: 'pending', message_id: 'm1', from: 'a@b.c', ...values });
const untyped = () => note('Approved', { message_id: 'm1', from: 'a@b.c', to: 'd@e.f' });
const draft = (folder: MailFolder, values: object = {}) =>
  note(folder, {
    type: 'draft_reply',
    status: 'pending_approval',
    draft_id: 'd1',
    reply_to_message_id: 'm1',
    to: 'a@b.c',
    drafted_at: new Date(now).toISOString(),
    ...values,
  });
const kinds = (...notes: readonly NoteHead[]) => planRound(notes, times).map(({ kind }) => kind);
const ago = (hours: number) => new Date(now - hours * hour).toISOString();

test.each<[string, readonly NoteHead[], readonly string[], string]>([
  ['a new mail', [mail()], ['decide'], 'new'],
  [
    'a mail whose draft waits',
    [mail({ decision: 'draft_reply', draft_id: 'd1' }), draft('Drafts')],
    [],
    'answered',
  ],
  [
    'a mail that needs a person',
    [mail({ status: 'needs_info', decision: 'needs_info' })],
    [],
    'needs-info',
  ],
  [
    'a mail for somebody else',
    [mail({ status: 'pending_approval', decision: 'delegate' })],
    [],
    'delegated',
  ],
  ['a mail without a decision that failed', [mail({ status: 'failed' })], [], 'failed'],
  ['an archived mail', [mail({ status: 'done', decision: 'archive' }, 'Done')], [], 'archived'],
  ['a mail that a person finished', [mail({}, 'Done')], ['close-mail'], 'done'],
  ['a finished mail', [mail({ status: 'done' }, 'Done')], [], 'done'],
  ['a mail and a copy of it', [mail(), mail()], ['decide'], 'new'],
  ['a copy of a mail that is decided', [mail(), mail({ decision: 'needs_info' })], [], 'new'],
  ['a mail without its type among the approved', [untyped()], [], 'misplaced'],
  ['a mail among the drafts', [mail({}, 'Drafts')], [], 'misplaced'],
  ['a mail among the approved', [mail({}, 'Approved')], [], 'misplaced'],
  ['a mail that a person brought back', [mail({ status: 'done' })], [], 'needs-info'],
  ['a draft', [draft('Drafts')], [], 'waiting'],
  ['a draft of yesterday', [draft('Drafts', { drafted_at: ago(25) })], ['remind'], 'waiting'],
  [
    'a draft that reminded',
    [draft('Drafts', { drafted_at: ago(30), reminded_at: ago(5) })],
    [],
    'waiting',
  ],
  ['a draft of two days ago', [draft('Drafts', { drafted_at: ago(49) })], ['expire'], 'waiting'],
  [
    'a draft that a person worked on',
    [draft('Drafts', { drafted_at: ago(99), edited_at: ago(1), reminded_at: ago(60) })],
    [],
    'waiting',
  ],
  [
    'an expired draft in Approved',
    [draft('Approved', { approval: 'expired' })],
    ['ask-again'],
    'approved',
  ],
  [
    'an expired draft in Approved for the second time',
    [draft('Approved', { approval: 'expired', asked_again_at: ago(1) })],
    ['send'],
    'approved',
  ],
  [
    'a draft of two days ago that was moved to Approved before a round saw that it expired',
    [draft('Approved', { drafted_at: ago(49) })],
    ['ask-again'],
    'approved',
  ],
  [
    'an old draft in Approved that a person worked on',
    [draft('Approved', { drafted_at: ago(99), edited_at: ago(1) })],
    ['send'],
    'approved',
  ],
  [
    'an old draft in Approved that was worked on too long ago',
    [draft('Approved', { drafted_at: ago(99), edited_at: ago(48) })],
    ['ask-again'],
    'approved',
  ],
  [
    'an old draft in Approved for the second time',
    [draft('Approved', { drafted_at: ago(99), asked_again_at: ago(1) })],
    ['send'],
    'approved',
  ],
  [
    'a draft that grew old after its approval was read',
    [draft('Approved', { drafted_at: ago(99), approved_hash: 'a' })],
    ['send'],
    'approved',
  ],
  [
    'an old draft that was changed and approved again',
    [draft('Approved', { drafted_at: ago(99), approval: 'changed' })],
    ['send'],
    'approved',
  ],
  [
    'an expired draft',
    [draft('Drafts', { drafted_at: ago(99), approval: 'expired' })],
    [],
    'expired',
  ],
  ['a draft that was changed', [draft('Drafts', { approval: 'changed' })], [], 'changed'],
  [
    'a draft that was taken back',
    [draft('Drafts', { approved_hash: 'a', approved_at: ago(1) })],
    ['take-back'],
    'waiting',
  ],
  [
    'a draft that is being approved',
    [draft('Drafts', { approved_hash: 'a', approved_at: ago(0) })],
    [],
    'waiting',
  ],
  [
    'a draft that was taken back, approved before the clock was set back',
    [draft('Drafts', { approved_hash: 'a', approved_at: ago(-9999) })],
    ['take-back'],
    'waiting',
  ],
  [
    'a draft that was tried before the clock was set back',
    [draft('Approved', { approved_hash: 'a', next_try_at: ago(-9999) })],
    ['send'],
    'retrying',
  ],
  ['a draft with a no in it', [draft('Drafts', { decision: 'rejected' })], ['reject'], 'rejected'],
  ['an approved draft', [draft('Approved')], ['send'], 'approved'],
  [
    'an approved draft with a no in it',
    [draft('Approved', { status: 'rejected' })],
    ['reject'],
    'rejected',
  ],
  [
    'a draft that is tried later',
    [draft('Approved', { next_try_at: new Date(now + 1).toISOString(), send_attempts: 1 })],
    [],
    'retrying',
  ],
  [
    'a draft whose time has come',
    [draft('Approved', { next_try_at: ago(0), send_attempts: 1 })],
    ['send'],
    'retrying',
  ],
  [
    'a draft that cannot be sent',
    [draft('Approved', { send_state: 'stuck' })],
    ['recheck'],
    'stuck',
  ],
  [
    'a draft that may have been sent',
    [draft('Approved', { send_state: 'unclear' })],
    [],
    'unclear',
  ],
  [
    'a sent draft that is not filed',
    [draft('Approved', { sent_message_id: 's1' })],
    ['file-sent'],
    'sent',
  ],
  ['a sent draft', [draft('Done', { sent_message_id: 's1' })], [], 'sent'],
  ['a draft that a person put into Done', [draft('Done')], ['reject'], 'rejected'],
  ['a rejected draft', [draft('Done', { decision: 'rejected' })], [], 'rejected'],
  ['a draft among the mails', [draft('Needs_Action')], [], 'misplaced'],
  ['a broken note', [note('Approved', {}, 'line 2')], ['unreadable'], 'unreadable'],
])('%s', (_, notes, expected, state) => {
  expect(kinds(...notes)).toEqual(expected);
  const [first] = notes;
  expect(first && itemOf(first)?.state).toBe(state);
});

test('a mail follows what becomes of its draft', () => {
  const answered = mail({ decision: 'draft_reply', draft_id: 'd1' });
  expect(kinds(answered, draft('Done', { sent_message_id: 's1' }))).toEqual(['finish-mail']);
  expect(planRound([answered, draft('Done', { decision: 'rejected' })], times)).toMatchObject([
    { kind: 'reopen-mail', draft: 'rejected' },
  ]);
  expect(planRound([answered], times)).toMatchObject([{ kind: 'reopen-mail', draft: 'deleted' }]);
});

test('a mail that may have a draft which cannot be read, or that a person took out of Done, is left to them', () => {
  const answered = mail({ decision: 'draft_reply', draft_id: 'd1' });
  const broken = note('Drafts', {}, 'line 2');
  expect(kinds(answered, broken)).toEqual(['unreadable']);
  const back = mail({ status: 'done', decision: 'draft_reply', draft_id: 'd1' });
  expect(kinds(back, draft('Done', { sent_message_id: 's1' }))).toEqual([]);
  expect(kinds(note('Done', {}, 'line 2'))).toEqual([]);
});

test('a note of a person is none of its business', () => {
  expect(kinds(note('Needs_Action', {}), note('Done', { title: 'x' }))).toEqual([]);
});

test.each([
  ['Re: Budget 2026', '2026-02-03-1200-re-budget-2026.md'],
  ['../../etc/passwd', '2026-02-03-1200-etc-passwd.md'],
  ['😀😀', '2026-02-03-1200-no-subject.md'],
  ['', '2026-02-03-1200-no-subject.md'],
  ['Größe: Ärger?', '2026-02-03-1200-größe-ärger.md'],
])('the subject %j gives the name %s', (subject, name) => {
  expect(noteName(now, subject)).toBe(name);
});

test('names are short, and numbered when they clash', () => {
  const name = noteName(now, 'x'.repeat(10_000), 2);
  expect(name).toBe(`2026-02-03-1200-${'x'.repeat(60)}-002.md`);
  expect(Buffer.byteLength(noteName(now, '𝒳'.repeat(500), 1))).toBeLessThan(255);
  expect(mailTime('9999-01-01T00:00:00Z', now)).toBe(now);
  expect(mailTime('nonsense', now)).toBe(now);
});
