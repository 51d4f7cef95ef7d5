import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { openTestWorkbench, type TestWorkbench } from '../testing/test-workbench.ts';

const secret = 'SECRET';

test.each([
  '../outside.md',
  'Folder/../../outside.md',
  'n.md/../../outside.md',
  'linked/../outside.md',
  'Folder/..',
  '..',
  '/etc/passwd',
  '//etc/passwd',
  '..\\outside.md',
  'Folder/..\\..\\outside.md',
  '\\\\server\\share\\outside.md',
  'C:\\outside.md',
  '%2e%2e/outside.md',
  '..%2foutside.md',
  '%252e%252e%252foutside.md',
  '..%c0%afoutside.md',
  '....//outside.md',
  './n.md',
  'Folder//n.md',
  '.errand/settings.json',
  '.errand/log/x.md',
  '.obsidian/x.md',
  'Folder/.hidden.md',
  '\u200b.errand/x.md',
  '\u202e.errand/x.md',
  'n.md\0.png',
  '../outside.md\0n.md',
  'link.md',
  'linked/outside.md',
  'Folder/up/outside.md',
  'chain.md',
  'hidden.md',
  'hidden/config.md',
  'file:///etc/passwd',
  '~/x.md',
  '\ud800.md',
  '',
])('no route that takes a path reads or writes %j', (path) => attack(path));

test('no route that takes a path reads or writes a very long one', async () => {
  await attack(`${'../'.repeat(2_000)}etc/passwd`);
  await attack(`${'a'.repeat(5_000)}.md`);
});

test('the absolute path of a note is no path of the vault', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'x' } });
  const page = await workbench.open();
  for (const { status } of await Promise.all(askAll(page, join(workbench.folder, 'n.md')))) {
    expect(status).toBe(403);
  }
});

test('reports settings that become a link out of the vault, and does not show them', async () => {
  await using workbench = await openTestWorkbench();
  const file = join(workbench.folder, '.errand/settings.json');
  await writeFile(join(workbench.folder, '../theirs.json'), '{ "attachmentsFolder": "Theirs" }');
  await rm(file);
  await symlink('../../theirs.json', file);
  const page = await workbench.open();
  const { text } = await page.ask('/settings');
  expect(text).toContain('leaves the vault');
  expect(text).not.toContain('Theirs');
});

test.each([
  '/assets/../index.html',
  '/assets/..%2findex.html',
  '/assets/%2e%2e/%2e%2e/outside.md',
  '/assets/..%5coutside.js',
  '/assets/....//outside.js',
  '/assets/%00.js',
  '/assets//etc/passwd',
  '/../outside.md',
  '/..%2f..%2foutside.md',
  '/api/../outside.md',
  '/api/servers/..%2f..%2foutside.md',
  '/api/secrets/..%2foutside.md',
  '/api/calls/..%2f..%2foutside.md',
  '//outside.md',
  '/%2e%2e/outside.md',
  '/.errand/settings.json',
])('answers 404 at %s', async (address) => {
  await using workbench = await openTestWorkbench();
  await layTraps(workbench);
  const page = await workbench.open();
  const { status, text } = await askRaw(page, address);
  expect(text).not.toContain(secret);
  expect([400, 403, 404, 405]).toContain(status);
});

async function attack(path: string): Promise<void> {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'x', 'Folder/n.md': 'y' } });
  await layTraps(workbench);
  const page = await workbench.open();
  const query = `?path=${encodeURIComponent(path.toWellFormed())}`;
  for (const { status, text } of await Promise.all([
    ...askAll(page, path),
    // These look at no file: a name that is merely unusual is as good to them as any.
    page.ask(`/note/check${query}`, { method: 'POST', body: { text: 'x' } }),
    page.ask(`/note/cancel${query}`, { method: 'POST', body: {} }),
  ])) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('root:');
    expect(status, text).toBeLessThan(500);
  }
  for (const { status, text } of await Promise.all(askAll(page, path))) {
    // A name that is merely unusual is a note that does not exist.
    expect(status, text).toBeGreaterThanOrEqual(400);
  }
  expect(await readFile(join(workbench.folder, '../outside.md'), 'utf8')).toBe(secret);
}

/** Files beside the vault, and links inside that lead to them. */
async function layTraps({ folder }: TestWorkbench): Promise<void> {
  const beside = join(folder, '..');
  await mkdir(join(beside, 'elsewhere'));
  await mkdir(join(folder, 'Folder'), { recursive: true });
  for (const name of ['outside.md', 'outside.js', 'elsewhere/outside.md', 'page.md']) {
    await writeFile(join(beside, name), secret);
  }
  await symlink(join(beside, 'outside.md'), join(folder, 'link.md'));
  await symlink('link.md', join(folder, 'chain.md'));
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git/config.md'), secret);
  await symlink('.git/config.md', join(folder, 'hidden.md'));
  await symlink('.git', join(folder, 'hidden'));
  await symlink(join(beside, 'elsewhere'), join(folder, 'linked'));
  await symlink('../..', join(folder, 'Folder/up'));
}

/** Every route that reads or writes the file that a path names. */
function askAll(page: TestClient, path: string) {
  const query = `?path=${encodeURIComponent(path.toWellFormed())}`;
  const bodies = {
    run: {},
    result: { key: 'x', decision: 'remove', etag: 'x' },
    bind: { line: 0, server: null, etag: '' },
  };
  return [
    page.ask(`/note${query}`),
    page.ask(`/file${query}`),
    page.ask(`/note${query}`, { method: 'PUT', body: { text: 'x', etag: 'x' } }),
    ...Object.entries(bodies).map(([name, body]) =>
      page.ask(`/note/${name}${query}`, { method: 'POST', body }),
    ),
  ];
}

/** A request for an address as it stands: a URL would be tidied before it is sent. */
function askRaw(page: TestClient, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(page.origin);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request({ hostname, port, path, headers: { cookie: page.cookie } }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  asked.on('error', reject).end();
  return promise;
}
