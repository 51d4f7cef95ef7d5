import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

const deep = (count: number) => Array.from({ length: count }, () => 'd');

test('refuses to make a note in folders deeper than is allowed, and makes none of them', async () => {
  const folder = vaultFolder({ 'n.md': 'text' });
  const { call } = await startServer(folder);
  const path = [...deep(2000), 'n.md'].join('/');
  const refusal = {
    error: 'invalid_input',
    message: expect.stringContaining('2001 names, and at most 64 are allowed'),
    details: { depth: 2001, maximum: 64 },
  };
  expect(await call('write_note', { path, frontmatter: {}, body: 'x' })).toMatchObject(refusal);
  expect(await call('append_to_note', { path, content: 'x', create: true })).toMatchObject(refusal);
  expect(await call('move_note', { source: 'n.md', destination: path })).toMatchObject(refusal);
  expect(existsSync(join(folder, 'd'))).toBe(false);
  const deepest = [...deep(63), 'n.md'].join('/');
  expect(await call('write_note', { path: deepest, frontmatter: {}, body: 'x' })).toMatchObject({
    created: true,
  });
  expect(await call('list_notes')).toEqual({
    notes: [{ path: deepest }, { path: 'n.md' }],
    truncated: false,
  });
});

test('reports which folders were too deep, and answers at once', async () => {
  const folder = vaultFolder({ 'n.md': 'needle', 'other/n.md': 'needle' });
  mkdirSync(join(folder, ...deep(1900)), { recursive: true });
  writeFileSync(join(folder, ...deep(1900), 'n.md'), 'needle');
  const { call } = await startServer(folder);
  const left = expect.stringContaining('deeper than 64 names are left out, below d/d/d.');
  const listed = await call('list_notes');
  expect(listed).toMatchObject({
    notes: [{ path: 'n.md' }, { path: 'other/n.md' }],
    truncated: false,
    left_out: left,
  });
  expect(await call('search_notes', { query: 'needle' })).toMatchObject({ left_out: left });
  expect(await call('list_notes', { directory: 'other' })).not.toHaveProperty('left_out');
  expect(await call('health_check')).toMatchObject({ index: { notes: [left] } });
});

test('deletes a note that is as deep as can be', async () => {
  const path = [...deep(63), 'n.md'].join('/');
  const { call } = await startServer(vaultFolder({ [path]: 'text' }));
  expect(await call('delete_note', { path })).toMatchObject({ deleted: true });
});
