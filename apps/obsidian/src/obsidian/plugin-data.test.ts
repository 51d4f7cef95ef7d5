import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsStoreContract } from '@errand/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPluginData } from './plugin-data.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-data-'));
  path = join(folder, 'data.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** The vault's files as Obsidian hands them out. */
const files = {
  exists: (name: string) =>
    access(name).then(
      () => true,
      () => false,
    ),
  read: (name: string) => readFile(name, 'utf8'),
  write: (name: string, text: string) => writeFile(name, text),
};

for (const [promise, keepsIt] of Object.entries(settingsStoreContract)) {
  test(promise, async () => {
    const data = openPluginData(files, path);
    const store = {
      ...data,
      // Obsidian may take what we wrote for somebody else's.
      save: async (change: Parameters<typeof data.save>[0]) => {
        const saved = await data.save(change);
        await data.hasChanged();
        return saved;
      },
    };
    await keepsIt({
      store,
      write: (text) => {
        writeFileSync(path, text);
        return data.hasChanged();
      },
      remove: () => {
        rmSync(path);
        return data.hasChanged();
      },
      text: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    });
  });
}

test('says what to do when the file cannot be written', async () => {
  const data = openPluginData(files, join(folder, 'missing', 'data.json'));
  const saving = data.save((settings) => ({ ...settings, mcpSessionLimit: 7 }));
  await expect(saving).rejects.toThrow(/data\.json cannot be written .* Check the permissions/);
});

test('treats a file that is removed before it is read as missing', async () => {
  let isThere = true;
  const vanishing = {
    ...files,
    exists: async () => isThere,
  };
  const data = openPluginData(vanishing, path);
  await data.save((settings) => ({ ...settings, mcpSessionLimit: 7 }));
  rmSync(path);
  expect((await data.load()).mcpSessionLimit).toBe(7);
  isThere = false;
  expect((await data.load()).mcpSessionLimit).toBe(7);
});
