import { expect, test } from 'vitest';
import type { Ledger } from '../sending/ledger.ts';

/** An empty ledger, opened twice as by two servers. */
export interface LedgerPair extends AsyncDisposable {
  readonly first: Ledger;
  readonly second: Ledger;
  /** Moves all records into the past. */
  makeOlder(milliseconds: number): Promise<void>;
  /** Opens it once more, as after a restart. */
  reopen(): Promise<Ledger>;
}

const limits = { repeatedWithin: 600_000, dailyCap: 3 };

function claimOf(key: string | undefined, contentHash = 'hash', owner = 'one') {
  return { key, contentHash, owner };
}

/** What every ledger holds to. */
export function testLedger(open: () => Promise<LedgerPair>): void {
  test('begins a mail once, however many ask at once', async () => {
    await using pair = await open();
    const claims = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (index % 2 === 0 ? pair.first : pair.second).claim(claimOf('k', 'h', `${index}`), limits),
      ),
    );
    expect(claims.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'known')).toHaveLength(15);
    expect(await pair.second.counts()).toEqual({ intent: 1 });
  });

  test('knows a mail without a key by its content, for as long as it is told', async () => {
    await using pair = await open();
    const { first, second } = pair;
    expect(await first.find(claimOf(undefined), limits)).toBeUndefined();
    const begun = await first.claim(claimOf(undefined), limits);
    if (begun.kind !== 'begun') throw new Error(begun.kind);
    await pair.makeOlder(700_000);
    expect(await second.claim(claimOf(undefined), limits)).toMatchObject({ kind: 'known' });
    const found = await second.find(claimOf(undefined), limits);
    const sentAt = second.now();
    await second.change(found ?? begun.record, { state: 'sent', changedAt: sentAt, sentAt });
    expect(await first.find(claimOf(undefined), limits)).toMatchObject({ state: 'sent', sentAt });
    await pair.makeOlder(700_000);
    expect(await first.find(claimOf(undefined), limits)).toBeUndefined();
    // What has a key is another mail, and known for ever.
    expect(await first.claim(claimOf('k'), limits)).toMatchObject({ kind: 'begun' });
    await pair.makeOlder(700_000);
    expect(await second.find(claimOf('k'), limits)).toMatchObject({ key: 'k' });
  });

  test('writes only over the version that the writer has seen', async () => {
    await using pair = await open();
    const { first, second } = pair;
    const claimed = await first.claim(claimOf('k'), limits);
    if (claimed.kind !== 'begun') throw new Error(claimed.kind);
    const changes = await Promise.all(
      [first, second, first, second].map((ledger, index) =>
        ledger.change(claimed.record, { state: 'drafting', owner: `${index}` }),
      ),
    );
    const [written] = changes.filter((each) => each !== undefined);
    expect(changes.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await second.find(claimOf('k'), limits)).toEqual(written);
    await first.forget(claimed.record);
    expect(await second.find(claimOf('k'), limits)).toBeDefined();
    await second.forget(written ?? claimed.record);
    expect(await first.find(claimOf('k'), limits)).toBeUndefined();
  });

  test('keeps every field over a restart', async () => {
    await using pair = await open();
    const claimed = await pair.first.claim(claimOf('k'), limits);
    if (claimed.kind !== 'begun') throw new Error(claimed.kind);
    const change = {
      state: 'sent',
      owner: 'two',
      changedAt: 1_800_000_000_001,
      draftId: 'd',
      messageId: 'm',
      threadId: 't',
      sentAt: 1_800_000_000_002,
    } as const;
    await pair.first.change(claimed.record, change);
    await using again = await pair.reopen();
    expect(await again.find(claimOf('k'), limits)).toEqual({
      ...claimed.record,
      ...change,
      version: 2,
    });
  });

  test('counts the mails of a day and says when the next one may go', async () => {
    await using pair = await open();
    const { first, second } = pair;
    for (const key of ['a', 'b', 'c'])
      expect(await first.claim(claimOf(key), limits)).toMatchObject({ kind: 'begun' });
    const capped = await second.claim(claimOf('d'), limits);
    if (capped.kind !== 'capped') throw new Error(capped.kind);
    const hours = (capped.freeAt - second.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24.01);
    expect(await second.claim(claimOf('a'), limits)).toMatchObject({ kind: 'known' });
    expect(await second.claim(claimOf('e'), { ...limits, dailyCap: 0 })).toMatchObject({
      kind: 'capped',
    });
    await pair.makeOlder(25 * 3_600_000);
    expect(await second.claim(claimOf('d'), limits)).toMatchObject({ kind: 'begun' });
  });

  test('tells which drafts and messages belong to other mails', async () => {
    await using pair = await open();
    const { first, second } = pair;
    const [a, b] = [
      await first.claim(claimOf('a'), limits),
      await first.claim(claimOf('b'), limits),
    ];
    if (a.kind !== 'begun' || b.kind !== 'begun') throw new Error('known');
    await first.change(a.record, { draftId: 'd1', messageId: 'm1' });
    expect(await second.isTaken(b.record, 'd1')).toBe(true);
    expect(await second.isTaken(b.record, 'm1')).toBe(true);
    expect(await second.isTaken(a.record, 'm1')).toBe(false);
    expect(await second.isTaken(b.record, 'm2')).toBe(false);
  });
}
