import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

vi.setConfig({ testTimeout: 120_000 });

const text = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

test('changes parts of a note and nothing else, guarded by the etag', async () => {
  const before =
    '\ufeff---\r\n# note\r\nzip: 00123 # keep\r\nstatus: old\r\n---\r\n# A\r\none\r\n\r\n# B\r\ntwo';
  const folder = vaultFolder({ 'n.md': before });
  const { call } = await startServer(folder);
  const { etag } = await call('read_note', { path: 'n.md' });

  const updated = await call('update_frontmatter', {
    path: 'n.md',
    set: { status: 'new' },
    if_match: etag,
  });
  expect(updated).toMatchObject({ frontmatter: { zip: '00123', status: 'new' } });
  let expected = before.replace('status: old', 'status: new');
  expect(text(folder, 'n.md')).toBe(expected);
  expect(
    await call('patch_note', { path: 'n.md', old_text: 'one', new_text: '1', if_match: etag }),
  ).toMatchObject({ error: 'conflict', details: { etag: updated.etag } });

  await call('patch_note', { path: 'n.md', old_text: 'one\n\n# B', new_text: '1\n\n# C' });
  expected = expected.replace('one\r\n\r\n# B', '1\r\n\r\n# C');
  expect(text(folder, 'n.md')).toBe(expected);

  await call('append_to_note', { path: 'n.md', content: 'more', heading: 'A' });
  expected = expected.replace('1\r\n\r\n', '1\r\nmore\r\n\r\n');
  expect(text(folder, 'n.md')).toBe(expected);

  await call('append_to_note', { path: 'n.md', content: 'end\n' });
  expected = `${expected}\r\nend\r\n`;
  expect(text(folder, 'n.md')).toBe(expected);

  await call('write_note', {
    path: 'n.md',
    frontmatter: { added: true },
    body: 'new\nbody',
    mode: 'merge_frontmatter',
  });
  expect(text(folder, 'n.md')).toBe(
    '\ufeff---\r\n# note\r\nzip: 00123 # keep\r\nstatus: new\r\nadded: true\r\n---\r\nnew\r\nbody',
  );
  await call('write_note', { path: 'n.md', frontmatter: { zip: '00123' }, body: 'last' });
  expect(text(folder, 'n.md')).toBe('\ufeff---\r\n# note\r\nzip: 00123 # keep\r\n---\r\nlast');
});

test('creates a note only where there is none', async () => {
  const folder = vaultFolder({ 'n.md': 'old' });
  const { call } = await startServer(folder);
  const fresh = { frontmatter: { a: 1 }, body: 'new', mode: 'create' };
  expect(await call('write_note', { path: 'm.md', ...fresh })).toMatchObject({ created: true });
  expect(await call('write_note', { path: 'n.md', ...fresh })).toMatchObject({ error: 'conflict' });
  expect(text(folder, 'n.md')).toBe('old');
});

test('reads a long note in parts', async () => {
  const lines = Array.from({ length: 4000 }, (_, at) => `Line ${at} ${'x'.repeat(30)}`);
  lines[1000] = '## Middle';
  lines[1005] = '## After';
  const folder = vaultFolder({ 'long.md': lines.join('\n') });
  const { call } = await startServer(folder);
  let body = '';
  let pages = 0;
  for (let cursor: unknown; ; pages++) {
    const page = await call('read_note', { path: 'long.md', ...(cursor ? { cursor } : {}) });
    body += page.body;
    cursor = page.next_cursor;
    expect(page.truncated).toBe(cursor !== undefined);
    if (cursor === undefined) break;
  }
  expect(pages).toBeGreaterThan(1);
  expect(body).toBe(lines.join('\n'));

  expect(await call('read_note', { path: 'long.md', heading: '## Middle' })).toMatchObject({
    body: `${lines.slice(1000, 1005).join('\n')}\n`,
    start_line: 1001,
    end_line: 1005,
    line_count: 4000,
  });
  expect(await call('read_note', { path: 'long.md', start_line: 3, end_line: 4 })).toMatchObject({
    body: `${lines[2]}\n${lines[3]}\n`,
  });
  expect(await call('get_outline', { path: 'long.md' })).toMatchObject({
    headings: [
      { level: 2, text: 'Middle', line: 1001 },
      { level: 2, text: 'After', line: 1006 },
    ],
  });
});

test('moves a note with the links to it and its own', async () => {
  const folder = vaultFolder({
    'A/Plan.md': 'See [x](x.md), [[x]], [self](Plan.md), [y](y.md) and [none](none.md).',
    'A/x.md': '[[Plan]] [p](Plan.md#Goal) `[[Plan]]`',
    'y.md': '![[A/Plan|label]] and [p](A/Plan.md) and [[Plans]]',
  });
  const { call } = await startServer(folder);
  expect(
    await call('move_note', {
      source: 'A/Plan.md',
      destination: 'B/New plan.md',
      update_links: true,
    }),
  ).toMatchObject({ moved: true, updated_notes: ['A/x.md', 'B/New plan.md', 'y.md'] });
  expect(text(folder, 'A/x.md')).toBe('[[New plan]] [p](../B/New%20plan.md#Goal) `[[Plan]]`');
  expect(text(folder, 'y.md')).toBe('![[B/New plan|label]] and [p](B/New%20plan.md) and [[Plans]]');
  expect(text(folder, 'B/New plan.md')).toBe(
    'See [x](../A/x.md), [[x]], [self](New%20plan.md), [y](y.md) and [none](none.md).',
  );
  expect(await call('get_backlinks', { path: 'B/New plan.md' })).toMatchObject({
    backlinks: [
      { path: 'A/x.md' },
      { path: 'A/x.md' },
      { path: 'B/New plan.md' },
      { path: 'y.md' },
      { path: 'y.md' },
    ],
  });
});

test('handles a note of 50 MB', async () => {
  const line = `${'word '.repeat(200)}\n`;
  const folder = vaultFolder({ 'huge.md': line.repeat(50_000) });
  const { call } = await startServer(folder);
  const page = await call('read_note', { path: 'huge.md' });
  expect(page).toMatchObject({ truncated: true, line_count: 50_001 });
  expect(await call('append_to_note', { path: 'huge.md', content: 'needle' })).toMatchObject({
    path: 'huge.md',
  });
  expect(await call('search_notes', { query: 'needle' })).toMatchObject({
    notes: [{ path: 'huge.md' }],
  });
  expect(await call('read_note', { path: 'huge.md', start_line: 50_001 })).toMatchObject({
    body: 'needle\n',
  });
});

test('serves fifty writers of one note in order, losing none', async () => {
  const folder = vaultFolder({ 'log.md': '' });
  const { call } = await startServer(folder);
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      call('append_to_note', { path: 'log.md', content: `line ${at}` }),
    ),
  );
  const lines = text(folder, 'log.md').trim().split('\n');
  expect(new Set(lines).size).toBe(50);
});
