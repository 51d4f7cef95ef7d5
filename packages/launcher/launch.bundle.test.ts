import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  expect(await output(child, 'stderr')).toMatch(
    /^Errand needs Node 24 or later; this is v22\..*\nInstall a newer Node/,
  );
  expect(child.exitCode).toBe(2);
});

test('a built program is not run on a Node 22 that lacks what it uses', async () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), 'console.log(process.version);');
  writeFileSync(
    join(folder, 'older.cjs'),
    "Object.defineProperty(process, 'version', { value: 'v22.2.0' });",
  );
  const env = { NODE_OPTIONS: `--require ${join(folder, 'older.cjs')}` };
  const refused = start(node22, [], { ...env, PATH: '' });
  expect(await output(refused, 'stderr')).toMatch(
    /^Errand needs Node 22\.16 or later; this is v22\.2\.0/,
  );
  expect(refused.exitCode).toBe(2);
  expect(await output(start(node22, []))).toMatch(/^v22\./);
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

test('compiled code is kept where only its owner can enter, and never in the temporary folder', async () => {
  program("import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir());");
  const places = { TMPDIR: join(folder, 'tmp'), XDG_CACHE_HOME: join(folder, 'cache') };
  mkdirSync(places.TMPDIR);
  const used = await output(start(process.execPath, [], places));
  const own = join(folder, 'cache/errand/compiled');
  expect(used.startsWith(`${own}/`)).toBe(true);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  expect(readdirSync(places.TMPDIR)).toEqual([]);
});

test.each([
  ['others can enter', (cache: string) => mkdirSync(cache, { mode: 0o755 })],
  ['a link leads elsewhere', (cache: string) => symlinkSync(tmpdir(), cache)],
  ['there is a file', (cache: string) => writeFileSync(cache, '')],
])('compiled code is not kept where %s', async (_, prepare) => {
  program("import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir());");
  mkdirSync(join(folder, 'cache/errand'), { recursive: true });
  prepare(join(folder, 'cache/errand/compiled'));
  const places = { XDG_CACHE_HOME: join(folder, 'cache') };
  expect(await output(start(process.execPath, [], places))).toBe('undefined\n');
});

test.runIf(process.getuid?.() === 0)(
  'compiled code is not kept in a folder of another user',
  async () => {
    program("import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir());");
    const own = join(folder, 'cache/errand/compiled');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chownSync(own, 65_534, 65_534);
    const places = { XDG_CACHE_HOME: join(folder, 'cache') };
    expect(await output(start(process.execPath, [], places))).toBe('undefined\n');
  },
);

test('no Node is taken from the folder it is started in', async () => {
  program('console.log("never");');
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho v24.0.0\n', { mode: 0o755 });
  const child = spawn(node22, [join(folder, 'bin.cjs')], {
    cwd: folder,
    env: { ...process.env, PATH: '.:' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(await output(child)).toBe('');
  expect(child.exitCode).toBe(2);
});

function program(source: string): void {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'main.ts'), source);
}

function start(node: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  // Where it is set, the launcher has nothing to decide.
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
  return spawn(node, [join(folder, 'bin.cjs'), ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function output(
  child: ChildProcess,
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<string> {
  let text = '';
  child[stream]?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}
