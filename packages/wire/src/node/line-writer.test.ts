import { PassThrough, Writable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FullPipe, LineWriter } from './line-writer.ts';

const limits = { maxWaiting: 64 };

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
  return { writes, writer: new LineWriter(output, limits) };
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
  const writer = new LineWriter(output, limits);
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
  const writer = new LineWriter(output, limits);
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

/** An output whose reader takes nothing until told to. */
function stuck() {
  const { promise, resolve: read } = Promise.withResolvers<void>();
  const output = new Writable({
    highWaterMark: 4,
    decodeStrings: false,
    write: (_chunk, _encoding, done) => void promise.then(() => done()),
  });
  return { output, read };
}

test('takes no line that would make more wait than the limit, except one that waits alone', async () => {
  const { output, read } = stuck();
  const writer = new LineWriter(output, { maxWaiting: 8 });
  const first = writer.write('longer than that\n');
  await expect(writer.write('b\n')).rejects.toMatchObject({ cause: expect.any(FullPipe) });
  await expect(writer.writeTogether('c\n')).rejects.toMatchObject({ neverSent: true });
  expect(writer.waiting).toBe(17);
  read();
  await first;
  expect(writer.waiting).toBe(0);
});

test('pauses the input of a client that does not read, until it has read everything', async () => {
  const { output, read } = stuck();
  const input = new PassThrough();
  const writer = new LineWriter(output, { maxWaiting: 64, input, pauseAbove: 8 });
  input.resume();
  void writer.write('1234567\n');
  expect(input.isPaused()).toBe(false);
  const second = writer.write('8\n');
  expect(input.isPaused()).toBe(true);
  read();
  await second;
  await endOfTurn();
  expect(input.isPaused()).toBe(false);
});

test('writes what waits when it is disposed of, and leaves the input paused', async () => {
  const { writes, writer } = recording();
  const input = new PassThrough();
  const all = ['a\n', 'b\n'].map((line) => writer.writeTogether(line));
  writer[Symbol.dispose]();
  expect(writes).toEqual(['a\n', 'b\n']);
  await Promise.all(all);
  const { output: full, read } = stuck();
  const pausing = new LineWriter(full, { maxWaiting: 64, input });
  const written = pausing.write('1234567\n');
  pausing[Symbol.dispose]();
  read();
  await written;
  await endOfTurn();
  expect(input.isPaused()).toBe(true);
});
