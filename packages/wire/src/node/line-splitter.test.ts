import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter, type LongLine } from './line-splitter.ts';

const limit = 40;

test('finds the same lines however the bytes are cut', () => {
  const part = fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(50)), (parts, lengths) => {
      const stream = Buffer.concat(parts.flatMap((each) => [each, Buffer.from('\n')]));
      expect(split(cut(stream, lengths))).toEqual(split([stream]));
    }),
    { seed: 1 },
  );
});

test('keeps every byte of a line that fits, and leaves out empty ones', () => {
  const text = fc.string({ maxLength: 13 }).map((line) => line.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat(9)), (lines, lengths) => {
      const stream = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      expect(split(cut(stream, lengths))).toEqual(lines.filter((line) => line !== ''));
    }),
    { seed: 1 },
  );
});

test('drops a line over the limit, reports its size, beginning and id, and continues', () => {
  const large = JSON.stringify({
    jsonrpc: '2.0',
    params: { id: 1, text: 'x'.repeat(9_000) },
    id: 7,
  });
  const stream = Buffer.from(`{"a":1}\n${large}\n{"b":2}\n`);
  const head = Buffer.from(large.slice(0, 1_024));
  for (const chunks of [
    [stream],
    cut(stream, [1, 2, 3, 5]),
    [...stream].map((b) => Buffer.of(b)),
  ]) {
    const [first, long, last] = split(chunks);
    expect([first, last]).toEqual(['{"a":1}', '{"b":2}']);
    expect(long).toMatchObject({ bytes: large.length, id: 7, hasMethod: false });
    const { length } = (long as LongLine).head;
    expect((long as LongLine).head).toEqual(head.subarray(0, length));
    expect(length).toBeGreaterThan(limit);
  }
});

test('takes a line of exactly the limit', () => {
  const stream = Buffer.from(`${'x'.repeat(limit)}\n${'x'.repeat(limit + 1)}\n`);
  expect(split([stream])).toEqual([
    'x'.repeat(limit),
    expect.objectContaining({ bytes: limit + 1 }),
  ]);
});

test('gives the last line without its newline when the stream ends', () => {
  const lines: (string | LongLine)[] = [];
  const splitter = splitterInto(lines);
  splitter.push(Buffer.from('a\nb'));
  expect(lines).toEqual(['a']);
  splitter.end();
  splitter.end();
  expect(lines).toEqual(['a', 'b']);
});

function split(chunks: readonly Buffer[]): readonly (string | LongLine)[] {
  const lines: (string | LongLine)[] = [];
  const splitter = splitterInto(lines);
  for (const chunk of chunks) splitter.push(chunk);
  return lines;
}

function splitterInto(lines: (string | LongLine)[]): LineSplitter {
  return new LineSplitter(limit, {
    line: (line) => lines.push(line.toString()),
    tooLong: (line) => lines.push(line),
  });
}

function cut(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  let start = 0;
  const chunks = lengths.map((length) => {
    const chunk = bytes.subarray(start, start + length);
    start += length;
    return chunk;
  });
  return [...chunks, bytes.subarray(start)];
}
