import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcess, markVariable } from '@errand/files/processes';
import type { Program } from '@errand/host';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openProgramRunner } from './open-program-runner.ts';

const never = new AbortController().signal;

async function fixture() {
  const folder = await temporaryFolder();
  const childrenFolder = join(folder.path, 'children');
  const vaultFolder = join(folder.path, 'vault');
  mkdirSync(vaultFolder);
  const runner = openProgramRunner({ vaultFolder, stateFolder: folder.path });
  const node = (script: string, change: Partial<Program> = {}): Program => ({
    command: process.execPath,
    args: ['-e', script],
    cwd: vaultFolder,
    env: {},
    outputLimit: 1_000,
    ...change,
  });
  return {
    ...runner,
    node,
    vaultFolder,
    children: () => readdirSync(childrenFolder),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('runs a program in its folder with its input, and says how it ended', async () => {
  await using it = await fixture();
  const echo = `process.stdin.on('data', (text) => {
    process.stdout.write(JSON.stringify([String(text), process.cwd(), process.env.GIVEN]));
    process.stderr.write('oh');
    process.exitCode = 3;
  })`;
  const end = await it.run(it.node(echo, { input: 'hello', env: { GIVEN: 'yes' } }), never);
  expect(end).toMatchObject({ kind: 'exited', exitCode: 3, errorOutput: 'oh', isCut: false });
  const { output } = end as { output: string };
  expect(JSON.parse(output)).toEqual(['hello', realpathSync(it.vaultFolder), 'yes']);
  expect(it.children()).toEqual([]);
});

test('passes on none of our own variables that may be secret', async () => {
  await using it = await fixture();
  process.env.ERRAND_TEST_TOKEN = 'sesame';
  const end = await it.run(it.node('console.log(Object.keys(process.env).join())'), never);
  delete process.env.ERRAND_TEST_TOKEN;
  expect(end).toMatchObject({ output: expect.stringContaining(markVariable) });
  expect(end).toMatchObject({ output: expect.not.stringContaining('ERRAND_TEST_TOKEN') });
});

test('keeps the beginning of a long output and the end of a long error output', async () => {
  await using it = await fixture();
  const flood = `process.stdout.write('o'.repeat(3_000_000));
    process.stderr.write('e\\n'.repeat(100_000) + 'the end')`;
  const end = await it.run(it.node(flood), never);
  expect(end).toMatchObject({ output: 'o'.repeat(1_000), isCut: true });
  const { errorOutput } = end as { errorOutput: string };
  expect(errorOutput.length).toBeLessThanOrEqual(64 * 1024);
  expect(errorOutput).toMatch(/the end$/);
});

// The grandchild leaves its group, ignores TERM, and holds the output open.
const family = (then: string) => `
  const { spawn } = require('node:child_process');
  const code = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)';
  spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  ${then}`;

test('ends what a program left running when it exits', async () => {
  await using it = await fixture();
  const end = await it.run(it.node(family('setTimeout(() => process.exit(0), 300)')), never);
  const { output } = end as { output: string };
  expect(end).toMatchObject({ kind: 'exited', exitCode: 0, output: expect.stringMatching(/^\d+/) });
  expect(await findProcess(Number(output))).toBeUndefined();
});

test('ends a program and its descendants when the signal aborts', async () => {
  await using it = await fixture();
  const stop = new AbortController();
  const program = it.node(
    `process.on('SIGTERM', () => {});${family('setInterval(() => {}, 1000)')}`,
  );
  const running = it.run(program, stop.signal);
  await expect.poll(it.children, { timeout: 10_000 }).toHaveLength(1);
  stop.abort();
  expect(await running).toMatchObject({ kind: 'aborted' });
  expect(it.children()).toEqual([]);
  expect(await it.run(it.node('1'), stop.signal)).toMatchObject({ kind: 'aborted' });
});

test('survives a program that does not read its input', async () => {
  await using it = await fixture();
  const end = await it.run(it.node('process.exit(0)', { input: 'x'.repeat(5_000_000) }), never);
  expect(end).toMatchObject({ kind: 'exited', exitCode: 0 });
});

test.each([
  [
    'a program that is not installed',
    { command: 'no-such-program' },
    /no program "no-such-program" on the PATH. Install it/,
  ],
  [
    'a path without a program',
    { command: './nothing' },
    /there is no program at .*nothing. Correct "command"/,
  ],
  [
    'a folder that is not there',
    { cwd: '/no/such/folder' },
    /its folder \/no\/such\/folder does not exist. Make it/,
  ],
])('says what to do about %s', async (_, change, message) => {
  await using it = await fixture();
  const end = await it.run(it.node('1', change), never);
  expect(end).toEqual({ kind: 'not-started', message: expect.stringMatching(message) });
});

test('does not take a program out of the vault by its name', async () => {
  await using it = await fixture();
  writeFileSync(join(it.vaultFolder, 'stranger'), '#!/bin/sh\necho taken', { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${it.vaultFolder}:${path}`;
  const end = await it.run(it.node('1', { command: 'stranger' }), never);
  process.env.PATH = path;
  expect(end).toMatchObject({ kind: 'not-started' });
  expect(await it.run(it.node('1', { command: './stranger' }), never)).toMatchObject({
    output: 'taken\n',
  });
});
