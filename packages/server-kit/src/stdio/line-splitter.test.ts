import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut } from '../testing/cut.ts';
import { type Line, LineSplitter } from './line-splitter.ts';

const limit = 40;

test('finds the same lines however the bytes are cut', () => {
  const bytes = fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(fc.array(bytes), fc.array(fc.nat(50)), (parts, cuts) => {
      const stream = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
      expect(split(cut(stream, cuts))).toEqual(split([stream]));
    }),
  );
});

test('keeps every byte of a line that fits', () => {
  const text = fc.string({ maxLength: 13 }).map((line) => line.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat(9)), (lines, cuts) => {
      const stream = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const found = split(cut(stream, cuts));
      expect(found).toEqual(lines.map((line) => ({ kind: 'line', bytes: Buffer.from(line) })));
    }),
  );
});

test('drops a line over the limit, tells its size and id, and goes on', () => {
  const large = JSON.stringify({ jsonrpc: '2.0', params: { id: 1, text: 'x'.repeat(90) }, id: 7 });
  const stream = Buffer.from(`{"a":1}\n${large}\n{"b":2}\n`);
  for (const chunks of [
    [stream],
    cut(stream, [1, 2, 3, 5]),
    [...stream].map((b) => Buffer.of(b)),
  ]) {
    expect(split(chunks)).toEqual([
      { kind: 'line', bytes: Buffer.from('{"a":1}') },
      { kind: 'oversized', size: large.length, id: 7 },
      { kind: 'line', bytes: Buffer.from('{"b":2}') },
    ]);
  }
});

test('gives the last line without its newline when the stream ends', () => {
  const splitter = new LineSplitter(limit);
  expect([...splitter.push(Buffer.from('a\nb'))]).toHaveLength(1);
  expect([...splitter.end()]).toEqual([{ kind: 'line', bytes: Buffer.from('b') }]);
  expect([...splitter.end()]).toEqual([]);
});

function split(chunks: readonly Buffer[]): readonly Line[] {
  const splitter = new LineSplitter(limit);
  return chunks.flatMap((chunk) => [...splitter.push(chunk)]);
}
