import { PassThrough, Writable } from 'node:stream';
import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import type { LinePipe } from './line-pipe.ts';
import { LineTransport } from './line-transport.ts';

const ping = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };

test('says that a line which could not be written was never sent, and why', async () => {
  const ended = new HostError('server_unavailable', 'It ended.', { server: 's', exitCode: 9 });
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  broken.on('error', () => undefined);
  const transport = transportOver({ input: broken, ended: Promise.resolve(ended) });
  await expect(transport.send(ping)).rejects.toMatchObject({
    message: 'It ended.',
    facts: { neverSent: true, exitCode: 9 },
  });
});

test('says that a server takes no more input when it has not ended', async () => {
  const input = new PassThrough();
  input.on('error', () => undefined);
  input.destroy();
  const transport = transportOver({ input });
  await expect(transport.send(ping)).rejects.toMatchObject({
    code: 'server_unavailable',
    facts: { neverSent: true },
  });
});

test('reads batches and blank lines, and reports garbage', async () => {
  const output = new PassThrough();
  const garbage: string[] = [];
  const transport = transportOver({ output }, (line) => garbage.push(line));
  const methods: string[] = [];
  transport.onmessage = (message) => methods.push('method' in message ? message.method : '');
  await transport.start();
  output.write('  {"jsonrpc":"2.0","method":"a"}  \n[{"jsonrpc":"2.0","method":"b"},');
  output.write('{"jsonrpc":"2.0","method":"c"}]\n\nlog line\n{"level":"info"}\n42\n');
  expect(methods).toEqual(['a', 'b', 'c']);
  expect(garbage).toEqual(['log line', '{"level":"info"}', '42']);
});

test('is closed when the server ends', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<HostError>();
  const transport = transportOver({ ended });
  await transport.start();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  end(new HostError('server_unavailable', 'It ended.'));
  await closed;
});

test('a receiver that fails ends the connection with a reason, whatever it failed on', async () => {
  const output = new PassThrough();
  const reasons: HostError[] = [];
  const fail = () => {
    throw new Error('a defect');
  };
  const transport = transportOver({ output }, fail, (reason) => reasons.push(reason));
  transport.onmessage = fail;
  transport.onclose = fail;
  await transport.start();
  output.write('garbage\n');
  output.write('{"jsonrpc":"2.0","method":"a"}\n');
  output.write('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  const call = transport.calls.request(
    'tools/call',
    {},
    { signal: new AbortController().signal, onProgress: fail },
  );
  call.catch(() => undefined);
  const params = { progressToken: 1_000_000_001, progress: 1 };
  output.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n`);
  await Promise.resolve();
  expect(reasons.map(({ message }) => message)).toEqual(
    Array(4).fill(
      'The connection to server "s" was ended by a defect of Errand (a defect). Please report it.',
    ),
  );
});

test('takes no line for a reader that leaves 64 MiB unread', async () => {
  const input = new PassThrough({ highWaterMark: 1 });
  const transport = transportOver({ input });
  const text = 'x'.repeat(20 * 1024 * 1024);
  const send = () =>
    transport.send({ jsonrpc: '2.0', method: 'notifications/x', params: { text } });
  const waiting = [1, 2, 3].map(send);
  for (const line of waiting) line.catch(() => undefined);
  await expect(send()).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('does not read what it is sent'),
    facts: { neverSent: true },
  });
  input.resume();
  await Promise.all(waiting);
  await send();
});

function transportOver(
  pipe: Partial<LinePipe>,
  onGarbage: (line: string) => void = () => undefined,
  onFault: (reason: HostError) => void = () => undefined,
): LineTransport {
  const whole: LinePipe = {
    input: new PassThrough(),
    output: new PassThrough(),
    ended: new Promise(() => undefined),
    lastOutput: () => '',
    note: () => undefined,
    end: async () => undefined,
    ...pipe,
  };
  return new LineTransport(whole, 's', { onGarbage, onFault });
}
