import { Writable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

function recording(failure?: Error) {
  const writes: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done(failure);
    },
  });
  output.on('error', () => undefined);
  return { writes, writer: new LineWriter(output) };
}

test('writes the first line at once, and those that follow in the same turn together', async () => {
  const { writes, writer } = recording();
  const all = ['a\n', 'b\n', 'c\n'].map((line) => writer.write(line));
  expect(writes).toEqual(['a\n']);
  await Promise.all(all);
  expect(writes).toEqual(['a\n', 'b\nc\n']);
});

test('begins again at once in the next turn', async () => {
  const { writes, writer } = recording();
  await writer.write('a\n');
  await endOfTurn();
  const second = writer.write('b\n');
  expect(writes).toEqual(['a\n', 'b\n']);
  await second;
});

test('is certain that nobody has read a line only when it was written alone', async () => {
  const alone = recording(new Error('EPIPE'));
  await expect(alone.writer.write('a\n')).rejects.toMatchObject({ neverSent: true });
  const together = recording(new Error('EPIPE'));
  const ends = await Promise.allSettled(
    ['a\n', 'b\n', 'c\n'].map((line) => together.writer.write(line)),
  );
  expect(ends).toMatchObject([true, false, false].map((neverSent) => ({ reason: { neverSent } })));
});
