import { expect, test } from 'vitest';
import type { MailNote } from './note-head.ts';
import { lostAttempt, type PastAttempt } from './past-attempts.ts';

const path = 'Approved/a.md';
const digest = 'x';

function noteWith(draft_id?: string): MailNote {
  const values = { ...(draft_id !== undefined && { draft_id }) };
  return { path, folder: 'Approved', inode: '1', changedAt: 0, values, body: '', etag: '' };
}

function attempt(draftId: string, more: Partial<PastAttempt> = {}): PastAttempt {
  return { draftId, path, digest, isRunning: false, isUnfiled: true, ...more };
}

async function lost(note: MailNote, attempts: readonly PastAttempt[], ids: readonly string[] = []) {
  const locate = async (id: string) => (ids.includes(id) ? noteWith(id) : undefined);
  return (await lostAttempt(note, digest, attempts, { locate }))?.draftId;
}

test('an attempt that found no note was about the draft with its text, whatever its id is now', async () => {
  expect(await lost(noteWith(), [attempt('d1')])).toBe('d1');
  expect(await lost(noteWith('d2'), [attempt('d1')])).toBe('d1');
  expect(await lost(noteWith(), [attempt('d1', { digest: 'y' })])).toBe('d1');
  expect(await lost(noteWith('d2'), [attempt('d1', { digest: 'y' })])).toBeUndefined();
});

test('an attempt that has its note, or was written down, is about no other draft', async () => {
  expect(await lost(noteWith(), [attempt('d1')], ['d1'])).toBeUndefined();
  expect(await lost(noteWith(), [attempt('d1', { isUnfiled: false })])).toBeUndefined();
});

test('of two lost attempts with one text a draft is that of one, and stays it', async () => {
  const attempts = [attempt('d2'), attempt('d1')];
  expect(await lost(noteWith(), attempts)).toBe('d2');
  expect(await lost(noteWith('d2'), attempts)).toBeUndefined();
});
