import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const node22 = process.env.ERRAND_TEST_NODE22 ?? '';
const root = join(import.meta.dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-launcher-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'bin.cjs'),
    `require(${JSON.stringify(join(import.meta.dirname, 'launch.cjs'))}).launch(__dirname);`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a program that this Node can run runs in this process', async () => {
  program('console.log(process.pid, process.argv.slice(2).join());');
  const child = start(process.execPath, ['one', 'two']);
  expect(await output(child)).toBe(`${child.pid} one,two\n`);
});

test('on an older Node the one installed beside it is found', async () => {
  program('console.log(process.version, process.argv.slice(2).join());');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  expect(await output(start(node22, ['one']))).toBe(`${process.version} one\n`);
});

test('without a Node that can run it, it says which is needed and ends with 2', async () => {
  program('console.log("never");');
  const child = start(node22, [], { PATH: '' });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect(stderr).toMatch(/^Errand needs Node 24 or later; this is v22\..*\nInstall a newer Node/);
  expect(code).toBe(2);
});

test('the exit code of the program is passed on', async () => {
  program('process.exitCode = 3;');
  const [code] = await once(start(node22, [], { ERRAND_NODE: process.execPath }), 'close');
  expect(code).toBe(3);
});

test('a program asked to end through its launcher can end in its own way', async () => {
  program(
    "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(7)); console.log('up');",
  );
  const child = start(node22, [], { ERRAND_NODE: process.execPath });
  await once(child.stdout ?? child, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([7, null]);
});

test('a program leaves when its launcher is killed', async () => {
  program(
    "setInterval(() => {}, 1000); process.on('disconnect', () => process.exit()); console.log('up');",
  );
  const child = start(node22, [], { ERRAND_NODE: process.execPath });
  await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  // The program holds this stream too: it closes when both are gone.
  await once(child, 'close');
});

function program(source: string): void {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'main.ts'), source);
}

function start(node: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(node, [join(folder, 'bin.cjs'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}
