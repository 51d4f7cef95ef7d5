import { expect, test } from 'vitest';
import { noticeText } from './notice-text.ts';

test('advises what to do in Obsidian, after what it says', () => {
  const message = 'Server a is disabled';
  const advice = [{ kind: 'enable-server', server: 'a' }] as const;
  expect(noticeText({ message, advice })).toBe(
    'Server a is disabled. Enable it in the side view of Errand.',
  );
  expect(noticeText({ message, detail: 'It was lost.', advice })).toBe(
    'Server a is disabled\nIt was lost. Enable it in the side view of Errand.',
  );
});

test('is short, however long the message of a server is', () => {
  const long = noticeText({ message: 'Failed', detail: 'x'.repeat(1_000_000) });
  expect(long).toBe(`Failed\n${'x'.repeat(500)} …`);
  expect(noticeText({ message: 'x\n'.repeat(100_000) }).length).toBeLessThan(2_010);
});

test('escapes characters that reorder text', () => {
  expect(noticeText({ message: 'a\u202Eb' })).toBe('a\\u202eb');
});
