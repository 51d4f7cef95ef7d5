import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../testing/open-index.ts';
import { vaultFolder } from '../testing/vault-folder.ts';
import { countTags } from './count-tags.ts';
import { findBacklinks } from './find-backlinks.ts';
import { type ListRequest, listNotes } from './list-notes.ts';
import type { VaultIndex } from './vault-index.ts';

async function list(index: VaultIndex, request: Partial<ListRequest> = {}): Promise<string[]> {
  const whole = { folder: [], recursive: true, sort: 'path', limit: 1000, ...request } as const;
  return (await listNotes(index, whole)).notes.map(({ path }) => path);
}

/** Answers must be the same before the index is built and after. */
async function withAndWithoutIndex(folder: string, check: (index: VaultIndex) => Promise<void>) {
  const index = openIndex(folder);
  await check(index);
  await index.complete();
  await check(index);
}

test('lists by exact values of any kind, and by the elements of lists', async () => {
  const folder = vaultFolder({
    'a.md':
      '---\nstatus: pending\nzip: 00123\nversion: 1.10\ndone: True\ndate: 2026-01-05\nurl: http://x:80/a\n---\n',
    'b.md':
      '---\nstatus: Pending\ntags: [one, two]\nempty:\nquoted: "p\\u0065nding"\nspaced: a b\n---\n',
    'c.md': 'status: pending',
    'd.md': '---\n"sta tus": x\nnested: {status: pending}\n---\n',
  });
  await withAndWithoutIndex(folder, async (index) => {
    expect(await list(index, { filter: 'status:pending' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'status: pending' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'status:Pending' })).toEqual(['b.md']);
    expect(await list(index, { filter: 'zip:00123' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'zip:123' })).toEqual([]);
    expect(await list(index, { filter: 'version:1.10' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'done:true' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'date:2026-01-05' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'url:http://x:80/a' })).toEqual(['a.md']);
    expect(await list(index, { filter: 'tags:two' })).toEqual(['b.md']);
    expect(await list(index, { filter: 'tags:one, two' })).toEqual([]);
    expect(await list(index, { filter: 'empty:' })).toEqual(['b.md']);
    expect(await list(index, { filter: 'quoted:pending' })).toEqual(['b.md']);
    expect(await list(index, { filter: 'spaced:a b' })).toEqual(['b.md']);
    expect(await list(index, { filter: 'sta tus:x' })).toEqual(['d.md']);
    expect(await list(index, { filter: 'nested:pending' })).toEqual([]);
    expect(await list(index, { filter: `status:${'x'.repeat(600)}` })).toEqual([]);
  });
});

test.each(['status', ':pending', ''])('refuses the filter %j', async (filter) => {
  const index = openIndex(vaultFolder());
  await expect(list(index, { filter })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('lists a folder, with or without those below it', async () => {
  const folder = vaultFolder({
    'a.md': '',
    'dir/b.md': '',
    'dir/deep/c.md': '',
    'dir-2/d.md': '',
    'dir/picture.png': '',
    [`${'Café'.normalize('NFD')}/e.md`]: '',
  });
  await withAndWithoutIndex(folder, async (index) => {
    expect(await list(index)).toEqual(
      ['a.md', 'dir/b.md', 'dir/deep/c.md', 'dir-2/d.md', `${'Café'.normalize('NFD')}/e.md`].sort(),
    );
    expect(await list(index, { folder: ['dir'] })).toEqual(['dir/b.md', 'dir/deep/c.md']);
    expect(await list(index, { folder: ['dir'], recursive: false })).toEqual(['dir/b.md']);
    expect(await list(index, { recursive: false })).toEqual(['a.md']);
    expect(await list(index, { folder: ['Café'.normalize('NFC')] })).toHaveLength(1);
    await expect(list(index, { folder: ['none'] })).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('continues where a page ended, by path and by time', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `n${String(at).padStart(2, '0')}.md`);
  const folder = vaultFolder(Object.fromEntries(names.map((name) => [name, ''])));
  for (const [at, name] of names.entries()) {
    const time = 1000 + Math.floor(at / 2);
    utimesSync(join(folder, name), time, time);
  }
  const index = openIndex(folder);
  for (const sort of ['path', 'modified'] as const) {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const request = { folder: [], recursive: true, sort, limit: 10, cursor } as const;
      const page = await listNotes(index, request);
      seen.push(...page.notes.map(({ path }) => path));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    const newestFirst = [...names].sort((a, b) => {
      const time = (name: string) => Math.floor(Number(name.slice(1, 3)) / 2);
      return time(b) - time(a) || (a < b ? -1 : 1);
    });
    expect(seen).toEqual(sort === 'path' ? names : newestFirst);
  }
});

test('lists a note that cannot be read, with what is wrong with it', async () => {
  const folder = vaultFolder({
    'broken.md': '---\na: 1\na: 2\n---\n',
    'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    'fine.md': '',
  });
  await withAndWithoutIndex(folder, async (index) => {
    const { notes } = await listNotes(index, {
      folder: [],
      recursive: true,
      sort: 'path',
      limit: 9,
    });
    expect(notes).toEqual([
      { path: 'broken.md', problem: expect.stringMatching(/line 3: Map keys must be unique/) },
      { path: 'fine.md' },
      { path: 'latin.md', problem: expect.stringContaining('UTF-8') },
    ]);
  });
});

test('counts tags once per note, whatever their case', async () => {
  const folder = vaultFolder({
    'a.md': '---\ntags: [Todo, home]\n---\n#todo #home',
    'b.md': '#todo `#code`',
    'c.md': 'nothing',
  });
  await withAndWithoutIndex(folder, async (index) => {
    const counts = await countTags(index);
    expect(counts.find(({ tag }) => tag === 'home')).toEqual({ tag: 'home', count: 1 });
    expect(counts.map(({ tag }) => tag.toLowerCase())).toEqual(['todo', 'home']);
  });
});

test('finds the links to a note and not those to its namesakes', async () => {
  const folder = vaultFolder({
    'A/Plan.md': 'mine',
    'B/Plan.md': 'other',
    'A/x.md': 'See [[Plan]] and\n[this](Plan.md#Goal "title").',
    'B/y.md': 'See [[Plan]] but also ![[A/Plan|label]] and [[Plans]].',
    'z.md': '---\nrelated: "[[A/Plan]]"\n---\n`[[A/Plan]]`',
  });
  await withAndWithoutIndex(folder, async (index) => {
    const { links, namesakes } = await findBacklinks(index, 'A/Plan.md');
    expect(links.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'A/x.md:1',
      'A/x.md:2',
      'B/y.md:1',
      'z.md:2',
    ]);
    expect(namesakes).toEqual(['A/Plan.md', 'B/Plan.md']);
  });
});
