import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

const built = join(import.meta.dirname, '../dist/main.js');

test('runs as built on Node 22, with its index and without a word on standard error', async () => {
  let stderr = '';
  const { call } = await startServer(vaultFolder({ 'a.md': '---\ns: x\n---\nalpha' }), {
    program: [process.env.ERRAND_TEST_NODE22 ?? '', built],
    onStderr: (text) => {
      stderr += text;
    },
  });
  await call('write_note', { path: 'b.md', frontmatter: { s: 'x' }, body: 'alpha and beta' });
  await vi.waitFor(
    async () => {
      await call('list_notes');
      expect(await call('health_check')).toMatchObject({
        status: 'healthy',
        note_count: 2,
        index: { state: 'ready', pending: 0, watching: true, notes: [] },
      });
    },
    { timeout: 20_000 },
  );
  expect(await call('search_notes', { query: 'alpha' })).toMatchObject({
    notes: [{ path: 'a.md' }, { path: 'b.md' }],
  });
  expect(await call('list_notes', { filter: 's:x' })).toMatchObject({
    notes: [{ path: 'a.md' }, { path: 'b.md' }],
  });
  expect(stderr).toBe('');
}, 60_000);
