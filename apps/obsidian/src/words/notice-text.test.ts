import { expect, test } from 'vitest';
import { noticeText } from './notice-text.ts';

test('advises in the words of Obsidian, whatever is said after it', () => {
  const message = 'Server a is disabled. Enable it with: errand servers enable a';
  expect(noticeText({ message, detail: 'It was lost.' })).toBe(
    'Server a is disabled. Enable it in the side view of Errand.\nIt was lost.',
  );
});

test('is short, however much a server had to say', () => {
  const long = noticeText({ message: 'Failed', detail: 'x'.repeat(1_000_000) });
  expect(long).toBe(`Failed\n${'x'.repeat(500)} …`);
  expect(noticeText({ message: 'x\n'.repeat(100_000) }).length).toBeLessThan(2_010);
});

test('shows what would turn its words around', () => {
  expect(noticeText({ message: 'a\u202Eb' })).toBe('a\\u202eb');
});
