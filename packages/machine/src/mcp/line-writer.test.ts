import { Writable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

function recording(failsAt = 0) {
  const writes: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done(writes.length === failsAt ? new Error('EPIPE') : undefined);
    },
  });
  output.on('error', () => undefined);
  return { writes, writer: new LineWriter(output) };
}

test('writes the first line at once, and those that follow in the same turn together', async () => {
  const { writes, writer } = recording();
  const all = ['a\n', 'b\n', 'c\n'].map((line) => writer.writeTogether(line));
  expect(writes).toEqual(['a\n']);
  await Promise.all(all);
  expect(writes).toEqual(['a\n', 'b\nc\n']);
});

test('begins again at once in the next turn', async () => {
  const { writes, writer } = recording();
  await writer.writeTogether('a\n');
  await endOfTurn();
  const second = writer.writeTogether('b\n');
  expect(writes).toEqual(['a\n', 'b\n']);
  await second;
});

test('is certain that nobody has read a line only when it was written alone', async () => {
  const alone = recording(1);
  await expect(alone.writer.writeTogether('a\n')).rejects.toMatchObject({ neverSent: true });
  const together = recording(2);
  const [, ...ends] = await Promise.allSettled(
    ['a\n', 'b\n', 'c\n'].map((line) => together.writer.writeTogether(line)),
  );
  expect(ends).toMatchObject([false, false].map((neverSent) => ({ reason: { neverSent } })));
});

test('is not certain of a line that had to wait and went together with others', async () => {
  const busy = Promise.withResolvers<void>();
  const output = new Writable({
    decodeStrings: false,
    write: (_chunk, _encoding, done) => void busy.promise.then(() => done()),
    // The first of them got through, the second broke off.
    writev: (_chunks, done) => done(new Error('EPIPE')),
  });
  output.on('error', () => undefined);
  const writer = new LineWriter(output);
  const first = writer.writeTogether('a\n');
  await endOfTurn();
  const second = writer.writeTogether('b\n');
  await endOfTurn();
  const third = writer.writeTogether('c\n');
  busy.resolve();
  await first;
  const ends = await Promise.allSettled([second, third]);
  expect(ends).toMatchObject([false, false].map((neverSent) => ({ reason: { neverSent } })));
});

test('is certain that nobody has read what was written after the end', async () => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  output.on('error', () => undefined).destroy();
  const writer = new LineWriter(output);
  const ends = await Promise.allSettled(
    ['a\n', 'b\n', 'c\n'].map((line) => writer.writeTogether(line)),
  );
  expect(ends).toMatchObject(ends.map(() => ({ reason: { neverSent: true } })));
});

test('what must go at once goes at once, behind what waits', async () => {
  const { writes, writer } = recording();
  const all = ['a\n', 'b\n'].map((line) => writer.writeTogether(line));
  all.push(writer.write('c\n'));
  expect(writes).toEqual(['a\n', 'b\n', 'c\n']);
  await Promise.all(all);
  await endOfTurn();
  expect(writes).toEqual(['a\n', 'b\n', 'c\n']);
});
