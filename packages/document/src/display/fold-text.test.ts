import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

test('a short text is shown whole', () => {
  expect(foldText(lines(42), 0)).toEqual({ shown: lines(42), left: undefined, isShort: true });
});

test('a long text is opened step by step, to its end', () => {
  const text = lines(400);
  const first = foldText(text, 0);
  expect(first.shown).toBe(lines(40));
  expect(first.left).toBe('3 KB');
  expect(first.isShort).toBe(false);
  expect(foldText(text, 2)).toEqual({ shown: text, left: undefined, isShort: false });
});

test('one long line is folded too', () => {
  expect(foldText('x'.repeat(5_000), 0).shown).toHaveLength(1_200);
});
