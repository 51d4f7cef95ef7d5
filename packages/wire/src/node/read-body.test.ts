import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

test('reads a body of exactly the limit, however it is cut', async () => {
  for (const chunks of [['12345'], ['1', '234', '5'], []]) {
    const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const bytes = Buffer.from(chunks.join(''));
    expect(await readBody(body, 5)).toEqual({ kind: 'read', bytes });
  }
});

test('stops reading a body over the limit', async () => {
  const body = new PassThrough();
  body.write('123');
  body.write('456');
  expect(await readBody(body, 5)).toEqual({ kind: 'too-large', bytes: 6 });
  expect(body.isPaused()).toBe(true);
  body.destroy();
});

test('reads nothing of a body that is announced as over the limit', async () => {
  const body = new PassThrough();
  expect(await readBody(body, 5, '6')).toEqual({ kind: 'too-large', bytes: 6 });
  expect(body.readableFlowing).toBeNull();
});

test('says when a body breaks off', async () => {
  const broken = new Error('reset');
  for (const error of [broken, undefined]) {
    const body = new PassThrough();
    const reading = readBody(body, 5);
    body.write('123');
    body.destroy(error);
    expect(await reading).toMatchObject({ kind: 'aborted', error: error ?? expect.any(Error) });
    expect(await readBody(body, 5)).toMatchObject({ kind: 'aborted' });
  }
});
