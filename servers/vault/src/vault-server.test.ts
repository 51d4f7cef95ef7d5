import { expect, test } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

test('lists and reads notes over standard input and output', async () => {
  const folder = vaultFolder({
    'Inbox/mail.md': '---\nstatus: pending\nzip: 00123\n---\nHello\n',
    'Plan.md': '# Plan\n',
    'picture.png': '',
    '.obsidian/app.md': 'hidden',
  });
  const { call } = await startServer(folder);

  expect(await call('list_notes')).toMatchObject({
    notes: [{ path: 'Inbox/mail.md' }, { path: 'Plan.md' }],
  });
  expect(await call('read_note', { path: 'Inbox/mail.md' })).toEqual({
    path: 'Inbox/mail.md',
    frontmatter: { status: 'pending', zip: '00123' },
    body: 'Hello\n',
    etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    truncated: false,
  });
});

test('answers with the error taxonomy', async () => {
  const folder = vaultFolder({ 'broken.md': '---\nok: 1\nbad: [\n---\n' });
  const { call } = await startServer(folder);

  expect(await call('read_note', { path: 'none.md' })).toMatchObject({ error: 'not_found' });
  expect(await call('read_note', { path: '../x.md' })).toMatchObject({
    error: 'permission_denied',
  });
  expect(await call('read_note', { path: 'picture.png' })).toMatchObject({
    error: 'invalid_input',
  });
  expect(await call('read_note', { path: 'broken.md', colour: 'red' })).toMatchObject({
    error: 'invalid_input',
    message: expect.stringContaining('colour'),
  });
  expect(await call('read_note', { path: 'broken.md' })).toMatchObject({
    error: 'parse_error',
    details: { path: 'broken.md', line: 4 },
  });
});
