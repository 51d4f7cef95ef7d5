import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBuffer } from './growing-buffer.ts';

test('gives back every byte in its order, again and again', () => {
  const sizes = fc.oneof(fc.nat(40), fc.constantFrom(16_383, 16_384, 16_385, 40_000));
  const piece = fc.tuple(sizes, fc.nat(255)).map(([size, byte]) => Buffer.alloc(size, byte));
  const pieces = fc.array(piece);
  fc.assert(
    fc.property(pieces, pieces, (first, second) => {
      const buffer = new GrowingBuffer();
      for (const round of [first, second]) {
        for (const piece of round) buffer.append(piece);
        const expected = Buffer.concat(round);
        expect(buffer.size).toBe(expected.length);
        expect(buffer.take().equals(expected)).toBe(true);
      }
    }),
    { seed: 1 },
  );
});

test('takes a million single bytes in the memory of a few million', () => {
  const buffer = new GrowingBuffer();
  const byte = Buffer.of(7);
  for (let i = 0; i < 1_000_000; i += 1) buffer.append(byte);
  expect(buffer.take().buffer.byteLength).toBeLessThan(3_000_000);
});

test('copies nothing that came in one piece', () => {
  const buffer = new GrowingBuffer();
  const piece = Buffer.from('whole');
  buffer.append(piece);
  expect(buffer.take()).toBe(piece);
});
