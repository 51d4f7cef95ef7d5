import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

test('finds the same lines however the chunks fall', () => {
  const text = 'one\n\ntwo ü\r\n\nthree\nno end';
  const bytes = Buffer.from(text);
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const chunks = [
        bytes.subarray(0, first),
        bytes.subarray(first, second),
        bytes.subarray(second),
      ];
      expect(split(chunks).lines).toEqual(['one', 'two ü\r', 'three']);
    }
  }
});

test('keeps the two ends of a line over the limit, and goes on after it', () => {
  const long = `{"id":7,${'x'.repeat(5000)},"end":true}`;
  for (const size of [1, 100, 1024, 4999, 20_000]) {
    const bytes = Buffer.from(`before\n${long}\nafter\n`);
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    const { lines, tooLong } = split(chunks, 2000);
    expect(lines).toEqual(['before', 'after']);
    expect(tooLong).toHaveLength(1);
    expect(tooLong[0]).toMatchObject({ bytes: long.length });
    expect(tooLong[0]?.head.startsWith('{"id":7,xxx')).toBe(true);
    expect(tooLong[0]?.tail.endsWith('xxx,"end":true}')).toBe(true);
    expect(tooLong[0]?.head.length).toBeLessThanOrEqual(1024);
  }
});

test('takes a line of exactly the limit', () => {
  const { lines, tooLong } = split([Buffer.from('12345\n123456\n')], 5);
  expect(lines).toEqual(['12345']);
  expect(tooLong).toHaveLength(1);
});

function split(chunks: readonly Buffer[], limit = 1_000_000) {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string; bytes: number }[] = [];
  const splitter = new LineSplitter(limit, {
    line: (line) => lines.push(line.toString('utf8')),
    tooLong: ({ head, tail, bytes }) =>
      tooLong.push({ head: head.toString(), tail: tail.toString(), bytes }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, tooLong };
}
