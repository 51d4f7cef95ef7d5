import { MemoryNotes } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { linkedNotes } from './linked-notes.ts';

test('finds links beside long lines that only begin like a link', async () => {
  const notes = new MemoryNotes({ 'Ines.md': 'Lisbon', 'Trip.md': 'Porto' });
  const length = 100_000;
  const text = [
    `[[${'a'.repeat(length)}`,
    `](${'.md'.repeat(length / 3)}`,
    'See [[Ines#Home|her]], [[#Here]] and [it](<Trip.md#Plan> "plan").',
  ].join('\n');
  const turn = { role: 'user', text } as Parameters<typeof linkedNotes>[0][number];
  const started = performance.now();
  const linked = await linkedNotes([turn], 'Note.md', { notes }, new AbortController().signal);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(linked.get(turn)).toEqual([
    { what: 'note Ines.md', text: 'Lisbon' },
    { what: 'note Trip.md', text: 'Porto' },
  ]);
});
