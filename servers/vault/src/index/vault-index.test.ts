import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { openIndex } from '../testing/open-index.ts';
import { vaultFolder } from '../testing/vault-folder.ts';
import { listNotes } from './list-notes.ts';
import { searchNotes } from './search-notes.ts';
import type { VaultIndex } from './vault-index.ts';

async function find(index: VaultIndex, query: string): Promise<string[]> {
  const { notes } = await searchNotes(index, { query, limit: 100 });
  return notes.map(({ path }) => path).sort();
}

async function list(index: VaultIndex, filter?: string): Promise<string[]> {
  const request = { folder: [], recursive: true, filter, sort: 'path', limit: 1000 } as const;
  return (await listNotes(index, request)).notes.map(({ path }) => path);
}

/** Waits until a change is found: within a second, or later on a machine that is busy. */
async function soon(check: () => Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 15_000, interval: 20 });
}

test.each([
  ['told of changes by the system', 1000],
  ['without being told, where folders cannot be watched', 0],
])('finds what another program does within a second, %s', async (_, watchLimit) => {
  const folder = vaultFolder({
    'a.md': '---\nstatus: old\n---\nalpha',
    'dir/b.md': 'beta',
    'dir/deep/c.md': 'gamma',
  });
  const index = openIndex(folder, { watchLimit });
  await index.complete();
  expect(await find(index, 'alpha')).toEqual(['a.md']);

  writeFileSync(join(folder, 'new.md'), 'alpha again');
  await soon(async () => expect(await find(index, 'alpha')).toEqual(['a.md', 'new.md']));

  appendFileSync(join(folder, 'dir/b.md'), ' alpha');
  await soon(async () =>
    expect(await find(index, 'alpha')).toEqual(['a.md', 'dir/b.md', 'new.md']),
  );

  writeFileSync(join(folder, 'a.part'), '---\nstatus: new\n---\nomega');
  renameSync(join(folder, 'a.part'), join(folder, 'a.md'));
  await soon(async () => {
    expect(await find(index, 'omega')).toEqual(['a.md']);
    expect(await list(index, 'status:new')).toEqual(['a.md']);
    expect(await list(index, 'status:old')).toEqual([]);
  });

  renameSync(join(folder, 'dir'), join(folder, 'moved'));
  await soon(async () => expect(await find(index, 'gamma')).toEqual(['moved/deep/c.md']));
  writeFileSync(join(folder, 'moved/deep/d.md'), 'gamma');
  await soon(async () =>
    expect(await find(index, 'gamma')).toEqual(['moved/deep/c.md', 'moved/deep/d.md']),
  );

  mkdirSync(join(folder, 'x/y/z'), { recursive: true });
  writeFileSync(join(folder, 'x/y/z/e.md'), 'epsilon');
  await soon(async () => expect(await find(index, 'epsilon')).toEqual(['x/y/z/e.md']));

  unlinkSync(join(folder, 'new.md'));
  rmSync(join(folder, 'moved'), { recursive: true });
  await soon(async () => expect(await list(index)).toEqual(['a.md', 'x/y/z/e.md']));
  expect(await find(index, 'alpha')).toEqual([]);
  expect(index.status()).toMatchObject({ watching: watchLimit > 0, noteCount: 2 });
});

test('never reports outdated content, even before a change is noticed', async () => {
  const folder = vaultFolder({ 'a.md': '---\ns: x\n---\nalpha', 'b.md': '---\ns: x\n---\nalpha' });
  const index = openIndex(folder);
  await index.complete();
  // Synchronous changes and questions: no event can have arrived in between.
  unlinkSync(join(folder, 'a.md'));
  writeFileSync(join(folder, 'b.md'), '---\ns: y\n---\nomega');
  const [found, listed] = [find(index, 'alpha'), list(index, 's:x')];
  expect(await found).toEqual([]);
  expect(await listed).toEqual([]);
});

test('notices a change that keeps the size and the modification time', async () => {
  const folder = vaultFolder({ 'a.md': 'alpha' });
  utimesSync(join(folder, 'a.md'), 1000, 1000);
  {
    await using index = openIndex(folder);
    await index.complete();
  }
  writeFileSync(join(folder, 'a.md'), 'omega');
  utimesSync(join(folder, 'a.md'), 1000, 1000);
  const index = openIndex(folder);
  expect(await find(index, 'omega')).toEqual(['a.md']);
});

test('starts from the index of the last time and reads only what changed in between', async () => {
  const folder = vaultFolder({ 'a.md': 'alpha', 'b.md': 'beta', 'c.md': 'gamma' });
  // Later than it is: of a file that is a moment old, the index would not trust the time.
  const now = () => Date.now() + 60_000;
  const rows = (index: VaultIndex) => ['b.md', 'c.md'].map((path) => index.notes.get(path)?.id);
  let before: unknown;
  {
    await using index = openIndex(folder, { now });
    await index.complete();
    before = rows(index);
  }
  unlinkSync(join(folder, 'a.md'));
  writeFileSync(join(folder, 'd.md'), 'alpha');
  const index = openIndex(folder, { now });
  await index.complete();
  expect(rows(index)).toEqual(before);
  expect(await find(index, 'alpha')).toEqual(['d.md']);
  expect(await find(index, 'gamma')).toEqual(['c.md']);
});

const damages: [string, (file: string) => void][] = [
  ['deleted', (file) => rmSync(file)],
  ['empty', (file) => truncateSync(file)],
  ['no database', (file) => writeFileSync(file, 'nonsense '.repeat(1000))],
  ['cut in half', (file) => truncateSync(file, 20_000)],
  [
    'of another version',
    (file) => {
      using database = new DatabaseSync(file);
      database.exec('PRAGMA user_version = 999');
    },
  ],
  [
    'without a table',
    (file) => {
      using database = new DatabaseSync(file);
      database.exec('DROP TABLE grams; DROP TABLE fields');
    },
  ],
];

test.each(damages)('rebuilds an index that is %s', async (_, damage) => {
  const folder = vaultFolder({ 'a.md': '---\ns: x\n---\nalpha', 'b.md': 'beta' });
  {
    await using index = openIndex(folder);
    await index.complete();
  }
  damage(join(dirname(folder), 'cache/index.db'));
  const index = openIndex(folder);
  expect(await find(index, 'alpha')).toEqual(['a.md']);
  await index.complete();
  expect(await find(index, 'alpha')).toEqual(['a.md']);
  expect(await list(index, 's:x')).toEqual(['a.md']);
  expect(index.status()).toMatchObject({ state: 'ready', pending: 0, problems: [] });
});

test('keeps answering, and rebuilds the index, when it is damaged while in use', async () => {
  const folder = vaultFolder({ 'a.md': '---\ns: x\n---\nalpha', 'b.md': 'beta' });
  const index = openIndex(folder);
  await index.complete();
  {
    using database = new DatabaseSync(join(dirname(folder), 'cache/index.db'));
    database.exec('DROP TABLE fields; DROP TABLE grams');
  }
  expect(await find(index, 'alpha')).toEqual(['a.md']);
  await index.complete();
  expect(await list(index, 's:x')).toEqual(['a.md']);
  expect(index.status()).toMatchObject({ state: 'ready', pending: 0 });
});

test('reads the vault for each answer when there is no place for an index', async () => {
  const folder = vaultFolder({ 'a.md': '---\ns: x\n---\nalpha' });
  const index = openIndex(folder, { file: join(folder, 'no such folder', 'index.db') });
  expect(await find(index, 'alpha')).toEqual(['a.md']);
  expect(await list(index, 's:x')).toEqual(['a.md']);
  expect(index.status()).toMatchObject({ state: 'scanning', problems: [expect.any(String)] });
});

test('shares one index between two servers', async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`n${at}.md`, `---\ns: x\n---\nalpha ${at}`]),
  );
  const folder = vaultFolder(notes);
  const [one, two] = [openIndex(folder), openIndex(folder)];
  await Promise.all([one.complete(), two.complete()]);
  for (let at = 0; at < 10; at++) {
    writeFileSync(join(folder, `n${at}.md`), 'omega');
    const expected = Array.from({ length: at + 1 }, (_, place) => `n${place}.md`).sort();
    for (const index of [one, two]) {
      await soon(async () => expect(await find(index, 'omega')).toEqual(expected));
      await soon(async () => expect(await list(index, 's:x')).toHaveLength(59 - at));
    }
  }
});

test('accepts an empty vault', async () => {
  const index = openIndex(vaultFolder());
  await index.complete();
  expect(await find(index, 'x')).toEqual([]);
  expect(await list(index)).toEqual([]);
});

test.each([1000, 0])(
  'notices that the vault was taken away and brought back (%i)',
  async (watchLimit) => {
    const folder = vaultFolder({ 'a.md': 'alpha', 'dir/b.md': 'alpha' });
    const index = openIndex(folder, { watchLimit });
    await index.complete();
    renameSync(folder, `${folder}-away`);
    await soon(async () => {
      await expect(find(index, 'alpha')).rejects.toMatchObject({ code: 'not_found' });
    });
    mkdirSync(folder);
    writeFileSync(join(folder, 'c.md'), 'alpha');
    await soon(async () => expect(await find(index, 'alpha')).toEqual(['c.md']));
    writeFileSync(join(folder, 'd.md'), 'alpha');
    await soon(async () => expect(await find(index, 'alpha')).toEqual(['c.md', 'd.md']));
  },
);

test('removes what a killed server left behind, and nothing else', async () => {
  const folder = vaultFolder({
    'a.md': 'x',
    '.errand-00000000-1-000000000000.tmp': 'being written',
  });
  linkSync(join(folder, 'a.md'), join(folder, '.errand-11111111-1-111111111111.tmp'));
  writeFileSync(join(folder, '.errand-22222222-1-222222222222.tmp'), 'old');
  utimesSync(join(folder, '.errand-22222222-1-222222222222.tmp'), 1000, 1000);
  writeFileSync(join(folder, '.errand-mine.tmp'), 'not ours');
  utimesSync(join(folder, '.errand-mine.tmp'), 1000, 1000);
  const index = openIndex(folder);
  await index.complete();
  expect(readdirSync(folder).sort()).toEqual([
    '.errand-00000000-1-000000000000.tmp',
    '.errand-mine.tmp',
    'a.md',
  ]);
});

test('leaves nothing in the vault', async () => {
  const folder = vaultFolder({ 'a.md': 'x' });
  const index = openIndex(folder);
  await index.complete();
  expect(readdirSync(folder)).toEqual(['a.md']);
  expect(existsSync(join(dirname(folder), 'cache/index.db'))).toBe(true);
});
