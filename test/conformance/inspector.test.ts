import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const require = createRequire(import.meta.url);
const inspector = require.resolve(
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** Runs the official inspector's command line on our vault server and a copy of the example vault. */
function inspectVault(): (...args: readonly string[]) => Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'errand-inspector-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const vault = join(folder, 'vault');
  cpSync(join(root, 'examples/vault'), vault, { recursive: true });
  const server = [join(root, 'servers/vault/src/main.ts'), '--vault', vault];
  return async (...args) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [inspector, '--cli', process.execPath, ...server, ...args, '--format', 'json', '-q'],
      { env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } },
    );
    return JSON.parse(stdout).result;
  };
}

test('the official inspector lists and calls the tools of the vault server', async () => {
  const inspect = inspectVault();
  const { tools } = (await inspect('--method', 'tools/list')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['read_note', 'write_note', 'search_notes', 'health_check']),
  );
  const call = (tool: string, ...args: readonly string[]) =>
    inspect('--method', 'tools/call', '--tool-name', tool, '--tool-arg', ...args);
  expect(await call('list_notes', 'directory=Projects', 'filter=status:done')).toMatchObject({
    structuredContent: { notes: [{ path: expect.stringMatching(/^Projects\//) }] },
  });
  expect(
    await call('write_note', 'path=New.md', 'frontmatter={}', 'body=by the inspector'),
  ).toMatchObject({
    structuredContent: { path: 'New.md', created: true },
  });
  expect(await call('search_notes', 'query=inspector')).toMatchObject({
    structuredContent: { notes: [{ path: 'New.md' }] },
  });
  await expect(call('read_note', 'path=../outside.md')).rejects.toMatchObject({
    stdout: expect.stringContaining('permission_denied'),
  });
}, 120_000);
