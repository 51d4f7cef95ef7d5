import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBuffer } from './growing-buffer.ts';

test('gives back every byte in its order, again and again', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }));
  fc.assert(
    fc.property(pieces, pieces, (first, second) => {
      const buffer = new GrowingBuffer();
      for (const round of [first, second]) {
        for (const piece of round) buffer.append(piece);
        const expected = Buffer.concat(round);
        expect(buffer.size).toBe(expected.length);
        expect(buffer.take()).toEqual(expected);
      }
    }),
  );
});

test('takes a million single bytes in the memory of a few million', () => {
  const buffer = new GrowingBuffer();
  const byte = Uint8Array.of(7);
  for (let i = 0; i < 1_000_000; i += 1) buffer.append(byte);
  expect(buffer.take().buffer.byteLength).toBeLessThan(3_000_000);
});
