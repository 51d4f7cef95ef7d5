import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('reports a vault whose folder is gone, writes nothing, and resumes when it is back', async () => {
  await using workbench = await openTestWorkbench({ files: { 'a.md': '# A\n' } });
  const { folder } = workbench;
  const client = await workbench.open();
  await rm(folder, { recursive: true });
  const server = scriptedServerConfig();
  for (const [method, path, body] of [
    ['GET', '/note?path=a.md', undefined],
    ['GET', '/notes', undefined],
    ['PUT', '/note?path=a.md', { text: 'b', etag: null }],
    ['POST', '/note/run?path=a.md', {}],
    ['PATCH', '/settings', { logDays: 3 }],
    ['POST', '/servers', server],
    ['POST', '/assistant/ask', { note: 'a.md', isKept: true }],
  ] as const) {
    const gone = `503 {"error":{"code":"vault_missing","message":"The vault's folder ${folder} is gone.`;
    await expect(client.send(method, path, body)).rejects.toThrow(gone);
  }
  expect(existsSync(folder)).toBe(false);
  // What ends calls works always.
  await client.send('POST', '/calls/stop');

  const names = async () =>
    (await client.send<{ notes: readonly string[] }>('GET', '/notes')).notes;
  await workbench.writeNote('b.md', '# B\n');
  await expect.poll(names, { timeout: 10_000 }).toEqual(['b.md']);
  await workbench.writeNote('c.md', '# C\n');
  await expect.poll(names, { timeout: 10_000 }).toEqual(['b.md', 'c.md']);
});

test('a folder that is removed and made again at once is followed', async () => {
  await using workbench = await openTestWorkbench({ files: { 'F/a.md': '# A\n' } });
  const client = await workbench.open();
  const names = async () => (await client.get<{ notes: readonly string[] }>('/notes')).notes;
  expect(await names()).toEqual(['F/a.md']);
  await rm(join(workbench.folder, 'F'), { recursive: true });
  await workbench.writeNote('F/b.md', '# B\n');
  await expect.poll(names, { timeout: 5_000 }).toEqual(['F/b.md']);
  await workbench.writeNote('F/c.md', '# C\n');
  await expect.poll(names, { timeout: 5_000 }).toEqual(['F/b.md', 'F/c.md']);
});
