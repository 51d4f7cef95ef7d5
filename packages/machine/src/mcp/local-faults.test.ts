import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcess } from '@errand/files/processes';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { journalled } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';

test('says how a server exited during a call, with its last output', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const call = callText(connection, 'crash', { words: 'out of cheese' });
  await expect(call).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('exited with code 7'),
    facts: { exitCode: 7, lastOutput: 'out of cheese\n', tool: 'crash' },
  });
  await expect(call).rejects.not.toHaveProperty('facts.neverSent');
  expect((await connection.lost).facts.exitCode).toBe(7);
  await expect(callText(connection, 'echo')).rejects.toHaveProperty('facts.neverSent', true);
});

test('takes parts of an answer that are no parts as text', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const call = { tool: 'odd-parts', arguments: {} };
  const { content } = await connection.callTool(call, { signal: soon() });
  expect(content).toEqual([
    { type: 'text', text: 'null' },
    { type: 'text', text: '5' },
    { type: 'text', text: 'words' },
    { type: 'unknown', text: 'untyped' },
  ]);
});

test('says that parameters are nested too deep to be sent, and keeps the connection', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  const call = callText(connection, 'echo', { deep });
  await expect(call).rejects.toMatchObject({ code: 'invalid_params', facts: { tool: 'echo' } });
  expect(await callText(connection, 'echo', { text: 'hi' })).toBe('hi');
});

test('notices the kill of a server at once', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const call = callText(connection, 'hang');
  const { pid } = await journalled(bench.journal, ({ tool }) => tool === 'hang', soon());
  process.kill(pid, 'SIGKILL');
  await expect(call).rejects.toThrow('SIGKILL');
});

test('notices at once that a server closed its output', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  await expect(callText(connection, 'close-output')).rejects.toThrow('closed its output');
});

test('shows exit code and last lines of a server that exits at once', async () => {
  await using bench = new ConnectionBench();
  const start = bench.local({ onStart: 'exit', stderr: 'no configuration found\n' });
  await expect(start).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('exited with code 3'),
    facts: { exitCode: 3, lastOutput: 'no configuration found\n' },
  });
});

test('gives up a server that hangs at the start, and leaves nothing running', async () => {
  await using bench = new ConnectionBench();
  const controller = new AbortController();
  const start = bench.local(
    { onStart: 'hang', onEndOfInput: 'ignore', ignoreTerm: true, grandchild: 'group' },
    {},
    { signal: controller.signal },
  );
  const { pid } = await journalled(bench.journal, ({ kind }) => kind === 'started', soon());
  const grandchild = await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
  controller.abort(new DOMException('too slow', 'TimeoutError'));
  await expect(start).rejects.toMatchObject({ code: 'timeout' });
  expect(await running(pid, grandchild.pid)).toEqual([false, false]);
});

test('waits for a server that starts slowly, and not for the others', async () => {
  await using bench = new ConnectionBench();
  const slow = bench.local({ startDelay: 1500 });
  const quick = await bench.local();
  expect(await Promise.race([slow, 'not yet'])).toBe('not yet');
  expect(await callText(quick, 'echo', { text: 'quick' })).toBe('quick');
  expect(await callText(await slow, 'echo', { text: 'slow' })).toBe('slow');
});

test.each([
  [{ command: 'no-such-program-here' }, 'no program "no-such-program-here" on the PATH'],
  [{ command: './no-such-program-here' }, '/no-such-program-here. Correct "command"'],
  [{ command: process.execPath, cwd: 'no-such-folder' }, 'no-such-folder does not exist'],
  [{ command: './not-executable' }, 'Make it so (chmod +x)'],
  [{ command: process.execPath, args: ['a\0b'] }, 'cannot start'],
])('says what to do when %o cannot start', async (localConfig, words) => {
  await using bench = new ConnectionBench();
  writeFileSync(join(bench.folder, 'not-executable'), '#!/bin/sh\n');
  chmodSync(join(bench.folder, 'not-executable'), 0o644);
  await expect(bench.local({}, { localConfig })).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining(words),
  });
});

test('reports garbage on standard output once and goes on', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ garbage: ['npm warn something\n'] });
  expect(await callText(connection, 'garbage')).toBe('still here');
  expect(bench.notices).toMatchObject([
    {
      level: 'warning',
      message: expect.stringContaining('"npm warn something"'),
      server: 'scripted',
    },
  ]);
  expect(connection.lastOutput()).toContain('[standard output] Server listening...');
});

test('fails the call whose answer is not JSON, and only that one', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const hanging = new AbortController();
  const other = connection.callTool({ tool: 'hang', arguments: {} }, { signal: hanging.signal });
  await expect(callText(connection, 'broken-answer')).rejects.toMatchObject({
    code: 'tool_failed',
  });
  hanging.abort();
  await expect(other).rejects.toMatchObject({ code: 'cancelled' });
});

test('ignores answers with wrong ids, or sent twice', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const hanging = new AbortController();
  const other = connection.callTool({ tool: 'hang', arguments: {} }, { signal: hanging.signal });
  expect(await callText(connection, 'wrong-id')).toBe('right');
  expect(await callText(connection, 'twice')).toBe('first');
  expect(await callText(connection, 'echo', { text: 'fine' })).toBe('fine');
  hanging.abort();
  await expect(other).rejects.toMatchObject({ code: 'cancelled' });
});

test('delivers 10 MiB, refuses 70 MiB, and keeps the connection', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const mebibyte = 1024 * 1024;
  expect(await callText(connection, 'large', { bytes: 10 * mebibyte })).toHaveLength(10 * mebibyte);
  const refused = expect(
    callText(connection, 'large', { bytes: 70 * mebibyte }),
  ).rejects.toMatchObject({ code: 'result_too_large' });
  expect(await callText(connection, 'echo', { text: 'meanwhile' })).toBe('meanwhile');
  await refused;
  expect(await callText(connection, 'echo', { text: 'after' })).toBe('after');
});

test('does not resend what was written, and marks what was never sent', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const { pid } = JSON.parse(await callText(connection, 'environment'));
  process.kill(pid, 'SIGKILL');
  await connection.lost;
  await expect(callText(connection, 'write')).rejects.toMatchObject({
    code: 'server_unavailable',
    facts: { neverSent: true },
  });
});

test.each(['group', 'session'] as const)(
  'ends a server that ignores everything, and its grandchild in a %s of its own',
  async (grandchild) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local({ onEndOfInput: 'ignore', ignoreTerm: true, grandchild });
    const { pid } = JSON.parse(await callText(connection, 'environment'));
    const child = await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
    expect(await running(pid, child.pid)).toEqual([true, true]);
    await connection[Symbol.asyncDispose]();
    expect(await running(pid, child.pid)).toEqual([false, false]);
  },
);

test('ends the grandchild of a server that crashed, without being asked to', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ grandchild: 'group' });
  const { pid } = await journalled(bench.journal, ({ kind }) => kind === 'grandchild', soon());
  await expect(callText(connection, 'crash')).rejects.toThrow('exited with code 7');
  while ((await findProcess(pid)) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test('lets no other server wait while one floods, hangs or crashes', async () => {
  await using bench = new ConnectionBench();
  const [flooding, hanging, crashing, good] = await Promise.all([
    bench.local(),
    bench.local(),
    bench.local(),
    bench.local(),
  ]);
  const stop = new AbortController();
  const troubles = Promise.allSettled([
    callText(flooding, 'stderr', { bytes: 100_000_000 }),
    hanging.callTool({ tool: 'hang', arguments: {} }, { signal: stop.signal }),
    callText(crashing, 'crash'),
  ]);
  for (let call = 0; call < 50; call += 1) {
    expect(await callText(good, 'echo', { text: `${call}` })).toBe(`${call}`);
  }
  stop.abort();
  expect((await troubles).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
});

test('says why a server refuses the handshake, and what it answered wrongly', async () => {
  await using bench = new ConnectionBench();
  const error = { code: -32000, message: 'No licence key is set' };
  await expect(bench.local({ initialize: { error } })).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining('No licence key is set'),
  });
  await expect(bench.local({ initialize: { result: {} } })).rejects.toMatchObject({
    code: 'server_unavailable',
    message:
      'Server "scripted" answered "initialize" with something that MCP does not allow. This is a bug in the server; report it to its authors.',
  });
});

test('refuses an entry without a command', async () => {
  await using bench = new ConnectionBench();
  const { localConfig: _, ...entry } = scriptedServerConfig();
  await expect(bench.start(entry)).rejects.toMatchObject({
    code: 'settings_invalid',
    facts: { path: 'localConfig.command' },
  });
});

async function running(...pids: readonly number[]): Promise<boolean[]> {
  const found = await Promise.all(pids.map(findProcess));
  return found.map((process) => process !== undefined);
}
