import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
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

test('takes batches and blanks, and hands garbage to whoever wants to know', async () => {
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

function transportOver(
  pipe: Partial<LinePipe>,
  onGarbage: (line: string) => void = () => undefined,
): LineTransport {
  const whole: LinePipe = {
    input: new PassThrough(),
    output: new PassThrough(),
    ended: new Promise(() => undefined),
    lastWords: () => '',
    note: () => undefined,
    end: async () => undefined,
    ...pipe,
  };
  return new LineTransport(whole, 's', onGarbage);
}
