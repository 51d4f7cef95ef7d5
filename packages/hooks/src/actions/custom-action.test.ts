import { readdirSync, symlinkSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from '@errand/files/processes';
import { createMemorySecretStore } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext, actionVault } from '../testing/action-fixture.ts';
import { customRunner } from './custom-action.ts';

async function fixture() {
  const vault = await actionVault();
  const secrets = createMemorySecretStore();
  await secrets.set('key', 'open-sesame');
  const references = { env: {}, secrets };
  const runner = customRunner({ ...vault, references });
  return { ...vault, ...runner };
}

const node = (
  script: string,
  more: Partial<ActionOf<'custom'>['parameters']> = {},
): ActionOf<'custom'> => {
  const { args = [] } = more;
  const parameters = { command: process.execPath, ...more, args: ['-e', script, ...args] };
  return { type: 'custom', parameters };
};

const report = `
  const chunks = [];
  process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const { ERRAND_HOOK_CHAIN: chain, GIVEN: given } = process.env;
    const event = JSON.parse(chunks.join(''));
    console.log(JSON.stringify({ event, chain: JSON.parse(chain), given, args: process.argv.slice(1), cwd: process.cwd() }));
  });`;

test('runs a program with its arguments, folder, environment, event and chain', async () => {
  await using it = await fixture();
  await mkdir(join(it.folder, 'specs'));
  const context = actionContext({ fields: { feature: 'a "b"; rm -rf $HOME', nothing: null } });
  const action = node(report, {
    args: ['for {{ feature }}', '{{ nothing }}'],
    cwd: 'specs',
    env: { GIVEN: '{{ feature }}!' },
  });
  const { status, output } = await it.run(action, context);
  expect(status).toBe('success');
  const { stdout, exitCode } = output as { stdout: string; exitCode: number };
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    event: {
      ...context.event,
      hook: { id: 'hook-1', name: 'Test' },
      chain: context.chain,
    },
    chain: context.chain,
    given: 'a "b"; rm -rf $HOME!',
    args: ['for a "b"; rm -rf $HOME', ''],
    cwd: join(await realpath(it.folder), 'specs'),
  });
});

test('tells of a program that fails with its code and last lines', async () => {
  await using it = await fixture();
  const outcome = await it.run(node('console.error("no disk"); process.exit(4)'), actionContext());
  expect(outcome).toMatchObject({
    status: 'failure',
    code: 'program_failed',
    message: expect.stringMatching(/ended with exit code 4\.\nno disk$/),
    output: { exitCode: 4, stderr: 'no disk\n' },
  });
  expect(outcome.isTransient).toBeUndefined();
  expect(it.isRepeatable(node('1'))).toBe(false);
});

test('gives a secret by the environment, and keeps it out of what is told', async () => {
  await using it = await fixture();
  const action = node(
    'console.log(process.env.KEY); console.error(process.env.KEY); process.exit(1)',
    {
      env: { KEY: `$\{secret:key}` },
    },
  );
  const outcome = await it.run(action, actionContext());
  expect(JSON.stringify(outcome)).not.toContain('open-sesame');
  expect(outcome.output).toMatchObject({ stdout: `$\{secret:key}\n` });
  expect((await it.preview(action, actionContext())).resolved.env).toEqual({
    KEY: `$\{secret:key}`,
  });
});

test('expands no reference that an event brought in', async () => {
  await using it = await fixture();
  const action = node('console.log(process.env.KEY, process.argv[1])', {
    args: ['{{ file }}'],
    env: { KEY: '{{ file }}' },
  });
  const outcome = await it.run(action, actionContext({ fields: { file: `$\{secret:key}` } }));
  expect(outcome.output).toMatchObject({ stdout: `$\{secret:key} $\{secret:key}\n` });
});

test('keeps a bounded part of a flood of output', async () => {
  await using it = await fixture();
  const { output } = await it.run(node('process.stdout.write("x".repeat(9e6))'), actionContext());
  const { stdout, isCut } = output as { stdout: string; isCut: boolean };
  expect([stdout.length, isCut]).toEqual([8 * 1024 * 1024, true]);
});

// Says its own id and that of a child in a session of its own, which does not leave when asked.
const family = `
  const { spawn } = require('node:child_process');
  const code = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore' });
  console.log(process.pid + ' ' + child.pid);
  require('node:fs').writeFileSync('started', '');
  setInterval(() => {}, 1000)`;

test.each([
  ['timeout', 'It took longer than 1 s.'],
  ['cancelled', 'It was cancelled.'],
])('ends the whole process tree: %s', async (status, message) => {
  await using it = await fixture();
  const cancel = new AbortController();
  const timeout = status === 'timeout' ? 1_000 : 60_000;
  const running = it.run(node(family, { timeout }), actionContext({ signal: cancel.signal }));
  if (status === 'cancelled') {
    await expect.poll(() => readdirSync(it.folder), { timeout: 10_000 }).toContain('started');
    cancel.abort();
  }
  const outcome = await running;
  expect(outcome).toMatchObject({ status, message: expect.stringContaining(message) });
  const { stdout } = outcome.output as { stdout: string };
  const pids = stdout.split(/\s/).filter(Boolean).map(Number);
  if (status === 'cancelled') expect(pids).toHaveLength(2);
  for (const pid of pids) expect(await findProcess(pid)).toBeUndefined();
});

test('refuses what it cannot run, and says why', async () => {
  await using it = await fixture();
  symlinkSync(it.outside, join(it.folder, 'link'));
  await writeFile(join(it.folder, 'file'), '');
  const cases: readonly [Partial<ActionOf<'custom'>['parameters']>, RegExp][] = [
    [{ command: 'no-such-program' }, /no program "no-such-program" on the PATH. Install it/],
    [{ cwd: '..' }, /leads out of the vault/],
    [{ cwd: 'link' }, /leads out of the vault/],
    [{ cwd: '{{ up }}' }, /leads out of the vault/],
    [{ cwd: '/{{ up }}' }, /absolute or a template, but not both/],
    [{ cwd: 'nowhere' }, /does not exist. Make it/],
    [{ args: [`$\{secret:key}`] }, /Give secrets by "env"/],
    [{ args: ['{{ fil }}'] }, /"args\[2\]": .*file/],
    [{ env: { KEY: `$\{secret:other}` } }, /needs the secret "other", which is not set/],
  ];
  for (const [change, message] of cases) {
    const outcome = await it.run(
      node('1', change),
      actionContext({ fields: { up: '../..', file: 'a' } }),
    );
    expect(outcome).toMatchObject({ status: 'failure', message: expect.stringMatching(message) });
  }
});

test('shows what it would run, and runs nothing', async () => {
  await using it = await fixture();
  const action = node('require("fs").writeFileSync("ran", "")', { env: { A: '{{ a }}' } });
  expect(await it.preview(action, actionContext({ fields: { a: 1 } }))).toEqual({
    resolved: {
      command: process.execPath,
      args: ['-e', 'require("fs").writeFileSync("ran", "")'],
      cwd: it.folder,
      env: { A: '1' },
    },
    problems: [],
  });
  expect(readdirSync(it.folder)).toEqual([]);
  const bad = await it.preview(node('1', { cwd: '..', args: ['{{ x }}'] }), actionContext());
  expect(bad.problems).toHaveLength(2);
});
