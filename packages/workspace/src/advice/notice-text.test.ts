import { expect, test } from 'vitest';
import type { AdviceRenderer } from './describe-failure.ts';
import { noticeText } from './notice-text.ts';

const face: AdviceRenderer = new Proxy({} as AdviceRenderer, {
  get: () => () => 'Enable it here.',
});

test('advises what to do in the face, after what it says', () => {
  const message = 'Server a is disabled';
  const advice = [{ kind: 'enable-server', server: 'a' }] as const;
  expect(noticeText({ message, advice }, face)).toBe('Server a is disabled. Enable it here.');
  expect(noticeText({ message, detail: 'It was lost.', advice }, face)).toBe(
    'Server a is disabled\nIt was lost. Enable it here.',
  );
});

test('is short, however long the message of a server is', () => {
  const long = noticeText({ message: 'Failed', detail: 'x'.repeat(1_000_000) }, face);
  expect(long).toBe(`Failed\n${'x'.repeat(500)} …`);
  expect(noticeText({ message: 'x\n'.repeat(100_000) }, face).length).toBeLessThan(2_010);
});

test('escapes characters that reorder text', () => {
  expect(noticeText({ message: 'a\u202Eb' }, face)).toBe('a\\u202eb');
});
