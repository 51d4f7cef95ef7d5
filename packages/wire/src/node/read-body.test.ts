import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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

test('a body in chunks of one byte takes little more memory than its bytes', async () => {
  const size = 1024 * 1024;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  client.write(head + '1\r\nx\r\n'.repeat(size));
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const before = process.memoryUsage().heapUsed;
  const body = readBody(request, size);
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes === size) resolve();
  });
  await isRead;
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
  client.end('0\r\n\r\n');
  expect(await body).toMatchObject({ kind: 'read', bytes: { length: size } });
  server.close();
  await once(server, 'close');
});
