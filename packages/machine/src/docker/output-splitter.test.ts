import { expect, test } from 'vitest';
import { OutputSplitter } from './output-splitter.ts';

const stdout = 1;
const stderr = 2;

test('takes both outputs apart wherever the stream is cut', () => {
  const stream = Buffer.concat([
    piece(stdout, 'one\n'),
    piece(stderr, 'error ü\n'),
    piece(stdout, ''),
    piece(stdout, 'x'.repeat(300)),
    piece(stderr, '!'),
  ]);
  for (let size = 1; size <= stream.length; size += 1) {
    const seen = { output: '', errorOutput: '' };
    const collected = collect((name, text) => {
      seen[name] += text;
    });
    for (let at = 0; at < stream.length; at += size) {
      collected.push(stream.subarray(at, at + size));
    }
    expect(seen).toEqual({ output: `one\n${'x'.repeat(300)}`, errorOutput: 'error ü\n!' });
  }
});

test('keeps the order in which the pieces came', () => {
  const order: string[] = [];
  const splitter = collect((_, text) => order.push(text));
  splitter.push(Buffer.concat([piece(stderr, 'a'), piece(stdout, 'b'), piece(stderr, 'c')]));
  expect(order).toEqual(['a', 'b', 'c']);
});

function collect(take: (name: 'output' | 'errorOutput', text: string) => void): OutputSplitter {
  return new OutputSplitter({
    output: (chunk) => take('output', chunk.toString('latin1')),
    errorOutput: (chunk) => take('errorOutput', chunk.toString('latin1')),
  });
}

function piece(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text, 'latin1'), 4);
  return Buffer.concat([header, Buffer.from(text, 'latin1')]);
}
