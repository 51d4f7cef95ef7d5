import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelServer } from '@errand/assistant/testing';
import { expect, test } from 'vitest';
import { RunningProgram, run, TestVault } from './errand-process.ts';

const root = join(import.meta.dirname, '../..');
const nodes = [
  { name: 'Node 22', node: process.env.ERRAND_TEST_NODE22 ?? '' },
  { name: 'Node 24', node: process.execPath },
];

test.each(nodes)(
  'the built programs run a note on $name, without the sources',
  async ({ node }) => {
    using vault = new TestVault();
    const installed = install(join(vault.folder, '../installed'));
    const { code, stdout } = await run(node, [installed, 'run', 'Welcome.md', '--json'], vault);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ changed: true, results: [{ status: 'success' }] });
    expect(readFileSync(join(vault.folder, 'Welcome.md'), 'utf8')).toContain('```mcp-result');
  },
);

test.each(nodes)('the built workbench serves its page and the vault on $name', async ({ node }) => {
  using vault = new TestVault();
  const installed = install(join(vault.folder, '../installed'));
  using errand = new RunningProgram(node, [installed, 'serve', '--port', '0', '--json'], vault);
  await errand.says(/"url".*\n/);
  const { url } = JSON.parse(errand.stdout) as { url: string };
  const cookie = (await fetch(url)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const notes = await fetch(new URL('/api/notes/search?query=stove', url), { headers: { cookie } });
  expect(await notes.json()).toMatchObject({ hits: [{ path: 'Books/A Book of Stoves.md' }, {}] });
  const page = await fetch(new URL('/', url), { headers: { cookie } });
  const html = await page.text();
  expect(html).toContain('<title>Errand</title>');
  const assets = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, path = '']) => path);
  expect(assets.some((path) => path.endsWith('.js'))).toBe(true);
  for (const path of assets) {
    const asset = await fetch(new URL(path, url), { headers: { cookie } });
    expect(`${path} ${asset.status}`).toBe(`${path} 200`);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
  errand.child.kill('SIGTERM');
  expect(await errand.ended).toMatchObject({ code: 0 });
});

test.each(nodes)('the built assistant answers on $name', async ({ node }) => {
  await using model = await ModelServer.open({ text: ['Hello.'] }, { text: ['Hello again.'] });
  using vault = TestVault.trusted({
    settings: {
      assistants: [
        model.assistant('openai-compatible', { key: `\${env:HOME}` }),
        model.assistant('anthropic', { name: 'Other', key: `\${env:HOME}` }),
      ],
    },
  });
  const installed = install(join(vault.folder, '../installed'));
  const ask = (...args: readonly string[]) => run(node, [installed, 'ask', 'q', ...args], vault);
  expect(await ask()).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(await ask('--assistant', 'Other')).toMatchObject({ code: 0, stdout: 'Hello again.\n' });
});

/** Lays the programs out as npm installs them: manifest, bin and dist, nothing else. */
function install(folder: string): string {
  const packages = { cli: 'apps/cli', vault: 'servers/vault', launcher: 'packages/launcher' };
  for (const [name, source] of Object.entries(packages)) {
    const target = join(folder, 'node_modules/@errand', name);
    mkdirSync(target, { recursive: true });
    for (const part of ['package.json', 'bin', 'dist', 'launch.cjs']) {
      const original = join(root, source, part);
      if (existsSync(original)) cpSync(original, join(target, part), { recursive: true });
    }
  }
  return join(folder, 'node_modules/@errand/cli/bin/errand.cjs');
}
