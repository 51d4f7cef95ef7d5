import { expect, test } from 'vitest';
import { TailBuffer } from './tail-buffer.ts';

test('keeps everything while there is room', () => {
  const tail = new TailBuffer(10);
  tail.push(Buffer.from('ab\n'));
  tail.push(Buffer.from('cd'));
  expect(tail.text()).toBe('ab\ncd');
});

test('keeps the last bytes, whole lines of them, however they come', () => {
  const text = Array.from({ length: 50 }, (_, line) => `line ${line}\n`).join('');
  for (const size of [1, 3, 7, 20, 25, 500]) {
    const tail = new TailBuffer(20);
    for (let at = 0; at < text.length; at += size)
      tail.push(Buffer.from(text.slice(at, at + size)));
    expect(tail.text()).toBe('line 48\nline 49\n');
  }
});

test('shows the end of a line that is longer than the room', () => {
  const tail = new TailBuffer(4);
  tail.push(Buffer.from('abcdefgh'));
  expect(tail.text()).toBe('efgh');
});
