import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from './testing/start-server.ts';
import { vaultFolder } from './testing/vault-folder.ts';

const text = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

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
    'A/Plan.md': 'See [x](x.md), [[x]] and [self](Plan.md).',
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
    'See [x](../A/x.md), [[x]] and [self](New%20plan.md).',
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

test('tells its health, with the vault and its notes', async () => {
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
}, 60_000);

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

test('reads but does not write a vault that it may not change', async () => {
  const folder = vaultFolder({ 'n.md': 'text' });
  mkdirSync(join(dirname(folder), 'cache'));
  chmodSync(join(dirname(folder), 'cache'), 0o777);
  chmodSync(dirname(folder), 0o755);
  chmodSync(folder, 0o555);
  // The superuser may write anywhere, so the server runs as somebody else.
  const { call } = await startServer(folder, process.getuid?.() === 0 ? { uid: 65_534 } : {});
  expect(await call('read_note', { path: 'n.md' })).toMatchObject({ body: 'text' });
  expect(await call('search_notes', { query: 'text' })).toMatchObject({
    notes: [{ path: 'n.md' }],
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
