import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

const _text = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

vi.setConfig({ testTimeout: 120_000 });

test('offers its tools with their hints', async () => {
  const { client } = await startServer(vaultFolder());
  const { tools } = await client.listTools();
  const hints = Object.fromEntries(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint === true]),
  );
  expect(hints).toEqual({
    read_note: true,
    write_note: false,
    update_frontmatter: false,
    append_to_note: false,
    patch_note: false,
    list_notes: true,
    search_notes: true,
    move_note: false,
    delete_note: false,
    list_tags: true,
    get_backlinks: true,
    get_outline: true,
    health_check: true,
  });
  for (const { description, inputSchema, outputSchema } of tools) {
    expect(description).toBeTruthy();
    expect(inputSchema.additionalProperties).toBe(false);
    expect(outputSchema).toBeDefined();
  }
});

test('writes, reads, lists, moves and deletes a note', async () => {
  const folder = vaultFolder();
  const { call } = await startServer(folder);
  const frontmatter = { status: 'pending', tags: ['a', 'b'], zip: '00123', count: 3 };
  const written = await call('write_note', { path: 'Inbox/mail.md', frontmatter, body: 'Hello\n' });
  expect(written).toMatchObject({
    path: 'Inbox/mail.md',
    frontmatter,
    body: 'Hello\n',
    created: true,
  });
  const { created, ...content } = written;
  expect(await call('read_note', { path: 'Inbox/mail.md' })).toEqual(content);

  const pending = { directory: 'Inbox', filter: 'status:pending' };
  expect(await call('list_notes', pending)).toEqual({
    notes: [{ path: 'Inbox/mail.md' }],
    truncated: false,
  });
  expect(
    await call('move_note', { source: 'Inbox/mail.md', destination: 'Done/2026/mail.md' }),
  ).toEqual({ moved: true, source: 'Inbox/mail.md', destination: 'Done/2026/mail.md' });
  expect(await call('list_notes', pending)).toMatchObject({ notes: [] });
  expect(await call('read_note', { path: 'Inbox/mail.md' })).toMatchObject({ error: 'not_found' });
  expect(await call('search_notes', { query: 'hello' })).toEqual({
    notes: [{ path: 'Done/2026/mail.md', snippet: 'Hello' }],
    truncated: false,
  });

  expect(await call('delete_note', { path: 'Done/2026/mail.md' })).toEqual({
    deleted: true,
    path: 'Done/2026/mail.md',
    trashed_to: '.trash/Done/2026/mail.md',
  });
  expect(existsSync(join(folder, '.trash/Done/2026/mail.md'))).toBe(true);
  expect(await call('search_notes', { query: 'hello' })).toMatchObject({ notes: [] });
  expect(await call('list_notes')).toMatchObject({ notes: [] });
});

test('answers with the error taxonomy', async () => {
  const folder = vaultFolder({
    'broken.md': '---\nok: 1\nbad: [\n---\n',
    'n.md': 'x',
    'm.md': 'y',
  });
  writeFileSync(join(dirname(folder), 'outside.md'), 'secret');
  linkSync(join(dirname(folder), 'outside.md'), join(folder, 'linked.md'));
  const { call } = await startServer(folder);
  const refused = async (tool: string, input: Record<string, unknown>, error: string) =>
    expect({ tool, input, ...(await call(tool, input)) }).toMatchObject({ error });

  await refused('read_note', { path: 'none.md' }, 'not_found');
  await refused('read_note', { path: 'none/n.md' }, 'not_found');
  await refused('list_notes', { directory: 'none' }, 'not_found');
  await refused('append_to_note', { path: 'none.md', content: 'x' }, 'not_found');
  await refused('read_note', { path: 'n.md', heading: 'None' }, 'not_found');
  await refused('read_note', { path: '../outside.md' }, 'permission_denied');
  await refused('list_notes', { directory: '..' }, 'permission_denied');
  await refused('list_notes', { directory: '.obsidian' }, 'permission_denied');
  await refused('move_note', { source: 'n.md', destination: '../n.md' }, 'permission_denied');
  await refused(
    'write_note',
    { path: 'linked.md', frontmatter: {}, body: '' },
    'permission_denied',
  );
  await refused('read_note', { path: 'broken.md' }, 'parse_error');
  await refused('update_frontmatter', { path: 'broken.md', set: { a: 1 } }, 'parse_error');
  await refused('move_note', { source: 'n.md', destination: 'm.md' }, 'conflict');
  await refused('append_to_note', { path: 'n.md', content: 'z', if_match: 'old' }, 'conflict');
  await refused(
    'write_note',
    { path: 'new.md', frontmatter: {}, body: '', if_match: 'x' },
    'conflict',
  );
  await refused('read_note', { path: 'picture.png' }, 'invalid_input');
  await refused('patch_note', { path: 'n.md', old_text: 'absent', new_text: '' }, 'invalid_input');
  await refused('write_note', { path: 'a?.md', frontmatter: {}, body: '' }, 'invalid_input');
  await refused(
    'write_note',
    { path: 'half.md', frontmatter: {}, body: '\ud83d' },
    'invalid_input',
  );
  await refused('search_notes', { query: ' ' }, 'invalid_input');
  await refused('list_notes', { filter: 'nonsense' }, 'invalid_input');

  expect(await call('read_note', { path: 'broken.md', colour: 'red' })).toMatchObject({
    error: 'invalid_input',
    message: expect.stringContaining('colour'),
  });
  expect(await call('read_note', { path: 'broken.md' })).toMatchObject({
    message: expect.stringContaining('line 4'),
    details: { path: 'broken.md', line: 4 },
  });
  expect(await call('read_note', { path: 'linked.md' })).toMatchObject({
    warnings: [expect.stringContaining('hard links')],
  });
  expect(readdirSync(folder).sort()).toEqual(['broken.md', 'linked.md', 'm.md', 'n.md']);
});

test('never executes a note that begins with ---js', async () => {
  const note = '---js\n{ title: require("fs").readFileSync("/etc/hostname", "utf8") }\n---\nbody';
  const { call } = await startServer(vaultFolder({ 'evil.md': note }));
  expect(await call('read_note', { path: 'evil.md' })).toMatchObject({
    frontmatter: {},
    body: note,
  });
  expect(await call('search_notes', { query: 'readFileSync' })).toMatchObject({
    notes: [{ path: 'evil.md' }],
  });
});

test('reports its health, with the vault and its notes', async () => {
  const folder = vaultFolder({ 'a.md': '', 'b/c.md': '' });
  const { call } = await startServer(folder);
  await call('list_notes');
  expect(await call('health_check')).toMatchObject({
    status: 'healthy',
    vault_path: folder,
    note_count: 2,
    writable: true,
    index: { watching: true, notes: [] },
  });
});

test('reads but does not write a vault that it may not change', async () => {
  const folder = vaultFolder({ 'n.md': 'text', 'secret.md': 'text' });
  chmodSync(join(folder, 'secret.md'), 0o000);
  chmodSync(folder, 0o555);
  // The superuser may write anywhere; the same user in a namespace of its own has only an owner's rights.
  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
  const { call } = await startServer(folder, process.getuid?.() === 0 ? { prefix } : {});
  expect(await call('read_note', { path: 'n.md' })).toMatchObject({ body: 'text' });
  expect(await call('search_notes', { query: 'text' })).toMatchObject({
    notes: [{ path: 'n.md' }],
  });
  expect(await call('read_note', { path: 'secret.md' })).toMatchObject({
    error: 'permission_denied',
  });
  expect(await call('list_notes')).toMatchObject({
    notes: [
      { path: 'n.md' },
      { path: 'secret.md', problem: expect.stringContaining('permission') },
    ],
  });
  for (const [tool, input] of [
    ['write_note', { path: 'n.md', frontmatter: {}, body: '' }],
    ['write_note', { path: 'new.md', frontmatter: {}, body: '' }],
    ['move_note', { source: 'n.md', destination: 'm.md' }],
    ['delete_note', { path: 'n.md' }],
  ] as const) {
    expect(await call(tool, input)).toMatchObject({ error: 'permission_denied' });
  }
  expect(await call('health_check')).toMatchObject({ writable: false });
  chmodSync(folder, 0o755);
});

test.each([
  [['--vault', '/no/such/folder'], 1, 'The vault /no/such/folder cannot be opened'],
  [['--vault', import.meta.filename], 1, 'is a file. Name a folder instead.'],
  [[], 2, '--vault DIR or set VAULT_PATH'],
])('says why it does not start with %j', (args, code, message) => {
  const main = join(import.meta.dirname, 'main.ts');
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: {},
  });
  expect(stderr).toContain(message);
  expect(status).toBe(code);
});
