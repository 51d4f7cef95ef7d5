import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningProgram, run } from '../end-to-end/errand-process.ts';

const root = join(import.meta.dirname, '../..');
const nodes = [
  { name: 'Node 20', node: process.env.ERRAND_TEST_NODE20 ?? '' },
  { name: 'Node 22', node: process.env.ERRAND_TEST_NODE22 ?? '' },
  { name: 'Node 24', node: process.execPath },
];
let folder: string;

/** An empty folder of a stranger, an empty cache, and the tarballs as they would be published. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'errand-installed-'));
  mkdirSync(join(folder, 'project'));
  writeFileSync(join(folder, 'project/package.json'), '{ "private": true, "type": "module" }');
  const tarballs = globSync('dist/packages/*.tgz', { cwd: root }).map((path) => join(root, path));
  const args = ['install', '--cache', join(folder, 'npm'), ...tarballs];
  const { code, stderr } = await run('npm', args, surroundings('project'));
  if (code !== 0) throw new Error(`npm could not install the tarballs: ${stderr}`);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(nodes)('errand makes a vault and runs its first note on $name', async ({ node }) => {
  const vault = emptyVault(node);
  expect((await run('node', ['-p', 'process.execPath'], vault)).stdout.trim()).toBe(node);
  const init = await run('errand', ['init'], vault);
  expect(init).toMatchObject({ code: 0, stderr: '' });
  const { code, stdout } = await run('errand', ['run', 'Welcome to Errand.md', '--json'], vault);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ changed: true });
  expect(readFileSync(join(vault.folder, 'Welcome to Errand.md'), 'utf8')).toContain('mcp-result');
});

test.each(nodes)('errand serve shows its page on $name', async ({ node }) => {
  const vault = emptyVault(node);
  await run('errand', ['init'], vault);
  // Hooks are kept in SQLite, of which Node 22 warns.
  await run('errand', ['hooks', 'add', 'Nothing', '--on', 'manual', '--', 'true'], vault);
  using errand = new RunningProgram('errand', ['serve', '--port', '0', '--json'], vault);
  await errand.says(/"url".*\n/);
  const { url } = JSON.parse(errand.stdout) as { url: string };
  const cookie = (await fetch(url)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL('/', url), { headers: { cookie } });
  expect(await page.text()).toContain('<title>Errand</title>');
  errand.child.kill('SIGTERM');
  const { code, stderr } = await errand.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Warning') });
});

test.each(
  nodes.flatMap((node) => (['legacy', 'modern'] as const).map((era) => ({ ...node, era }))),
)('a client of the $era era calls tools through errand gateway on $name', async ({ node, era }) => {
  const vault = emptyVault(node);
  await run('errand', ['init'], vault);
  writeFileSync(join(vault.folder, 'Tea.md'), 'Green.\n');
  const mode = era === 'legacy' ? era : { pin: '2026-07-28' };
  const client = new Client({ name: 'other', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: join(binFolder(), 'errand'),
    args: ['gateway', '--stdio', '--vault', vault.folder],
    env: vault.env as Record<string, string>,
    stderr: 'ignore',
  });
  await client.connect(transport);
  try {
    await expect
      .poll(async () => (await client.listTools()).tools.map(({ name }) => name))
      .toContain('vault__read_note');
    const call = { name: 'vault__read_note', arguments: { path: 'Tea.md' } };
    expect(JSON.stringify((await client.callTool(call)).content)).toContain('Green.');
  } finally {
    await client.close();
  }
});

test.each(nodes)('a server written on the kit in JavaScript answers on $name', async ({ node }) => {
  const script = join(folder, 'project/greeter.js');
  writeFileSync(script, greeter());
  expect(await greet(node, script)).toBe('Hello, Ann!');
});

test.each(['node16', 'bundler'])(
  'a server written on the kit in TypeScript compiles with moduleResolution %s, and answers',
  async (moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'node16';
    const options = { module, moduleResolution, target: 'es2022', strict: true, outDir: 'out' };
    const compilerOptions = { ...options, types: ['node'], skipLibCheck: false };
    writeFileSync(join(folder, 'project/greeter.ts'), greeter());
    writeFileSync(
      join(folder, 'project/tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['greeter.ts'] }),
    );
    rmSync(join(folder, 'project/out'), { recursive: true, force: true });
    const tsc = join(root, 'node_modules/.bin/tsc');
    const compiled = await run(tsc, ['-p', '.'], surroundings('project'));
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    const script = join(folder, 'project/out/greeter.js');
    expect(await greet(process.env.ERRAND_TEST_NODE20 ?? '', script)).toBe('Hello, Ann!');
  },
);

test('publint and Are The Types Wrong find nothing in any package', async () => {
  for (const path of globSync('dist/packages/*.tgz', { cwd: root })) {
    const tarball = readFileSync(join(root, path));
    const { buffer, byteOffset, byteLength } = tarball;
    const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball: bytes }, strict: true });
    expect({ path, messages }).toEqual({ path, messages: [] });
    const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    // The packages are ES modules: CommonJS loads them with import().
    const problems = types.types === false ? [] : types.problems.filter(isForModules);
    expect({ path, problems }).toEqual({ path, problems: [] });
  }
});

test('a package holds what it needs and nothing else', () => {
  const installed = join(folder, 'project/node_modules/@errand');
  const files = globSync('**/*', {
    cwd: installed,
    exclude: (path) => path.includes('node_modules'),
  });
  expect(files.filter((path) => /(?<!\.d)\.tsx?$|\.test\.|\btesting\b/.test(path))).toEqual([]);
  for (const name of globSync('*', { cwd: installed })) {
    expect(files).toContain(join(name, 'README.md'));
    expect(files).toContain(join(name, 'LICENSE'));
    const text = readFileSync(join(installed, name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    const ours = Object.keys(dependencies).filter((dependency) =>
      dependency.startsWith('@errand/'),
    );
    for (const dependency of ours) expect(existsSync(join(installed, '..', dependency))).toBe(true);
  }
});

function isForModules(problem: Problem): boolean {
  return (
    !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind)
  );
}

/** What a program started there sees: this home, and `errand` from where npm put it, on this Node. */
function surroundings(name: string, node = process.execPath) {
  // npm puts the Node that comes with Errand among the programs, too.
  const path = [dirname(node), binFolder(), process.env.PATH].join(':');
  const home = join(folder, 'home', name);
  const env = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    PATH: path,
  };
  return { folder: join(folder, name), env };
}

function emptyVault(node: string) {
  const name = `vault-${crypto.randomUUID()}`;
  mkdirSync(join(folder, name));
  // Without the Node that this checkout has on the PATH, only the named one and what npm installed are left.
  const { env, ...rest } = surroundings(name, node);
  return {
    ...rest,
    env: { ...env, PATH: [dirname(node), binFolder(), '/usr/bin', '/bin'].join(':') },
  };
}

function binFolder(): string {
  return join(folder, 'project/node_modules/.bin');
}

/** The example of the manual, which is JavaScript too: it has no types of its own. */
function greeter(): string {
  return readFileSync(join(root, 'packages/server-kit/examples/greeter.ts'), 'utf8');
}

async function greet(node: string, script: string): Promise<string> {
  const client = new Client({ name: 'other', version: '1.0.0' });
  const transport = new StdioClientTransport({ command: node, args: [script], stderr: 'ignore' });
  await client.connect(transport);
  try {
    const answer = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } });
    return (answer.structuredContent as { greeting: string }).greeting;
  } finally {
    await client.close();
  }
}
