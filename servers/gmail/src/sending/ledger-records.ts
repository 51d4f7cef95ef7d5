import { randomUUID } from 'node:crypto';
import type { ClaimLimits, SendClaim, SendRecord, SendState } from './ledger.ts';

/** The time that the daily cap counts. */
export const capTime = 24 * 60 * 60 * 1000;

/** The record that a claim begins with. */
export function newRecord({ key, contentHash, owner }: SendClaim, now: number): SendRecord {
  return {
    key: key ?? `auto-${randomUUID()}`,
    contentHash,
    state: 'intent',
    version: 1,
    owner,
    createdAt: now,
    changedAt: now,
  };
}

/** The latest record of the same content, if a claim without a key means that one. */
export function sameMail(
  latest: SendRecord | undefined,
  { repeatedWithin }: ClaimLimits,
  now: number,
): SendRecord | undefined {
  // One that was not sent yet is the same mail however long ago it was begun.
  const isOver = latest?.state === 'sent' && now - latest.changedAt >= repeatedWithin;
  return isOver ? undefined : latest;
}

/** When a further mail may be sent; nothing when it may be now. `times` has the recent ones, the latest first. */
export function freeAt(
  times: readonly unknown[],
  { dailyCap }: ClaimLimits,
  now: number,
): number | undefined {
  if (dailyCap < 1) return now + capTime;
  const oldest = times[dailyCap - 1];
  return oldest === undefined ? undefined : Number(oldest) + capTime;
}

/** Reads a row of the table of mails. */
export function recordFromRow(row: Readonly<Record<string, unknown>>): SendRecord {
  const text = (value: unknown) => (value === null ? undefined : String(value));
  return {
    key: String(row.key),
    contentHash: String(row.content_hash),
    state: row.state as SendState,
    version: Number(row.version),
    owner: String(row.owner),
    createdAt: Number(row.created_at),
    changedAt: Number(row.changed_at),
    draftId: text(row.draft_id),
    messageId: text(row.message_id),
    threadId: text(row.thread_id),
    sentAt: row.sent_at === null ? undefined : Number(row.sent_at),
  };
}
