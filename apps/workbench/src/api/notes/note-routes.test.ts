import { scriptedServerConfig } from '@errand/machine/testing';
import type { Suggestion } from '@errand/workspace/suggestions';
import { expect, test } from 'vitest';
import type { Note, NoteReading } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const echo = (text: string) => `\`\`\`scripted\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test('lists the notes of the vault, without what is hidden and what is no note', async () => {
  await using workbench = await openTestWorkbench({
    files: { 'b.md': '', 'A/c 10.md': '', 'A/c 9.md': '', 'x.txt': '', '.trash/d.md': '' },
  });
  const page = await workbench.open();
  expect(await page.get('/notes')).toEqual({
    notes: ['A/c 9.md', 'A/c 10.md', 'b.md'],
    isCut: false,
  });
});

test('finds notes by name and by text, and says where', async () => {
  await using workbench = await openTestWorkbench({
    files: { 'Stove.md': 'no', 'Garden.md': '# G\n\nThe STOVE (cast iron) is warm.\n', 'x.md': '' },
  });
  const page = await workbench.open();
  const find = (query: string) => page.get(`/notes/search?query=${encodeURIComponent(query)}`);
  expect(await find('stove')).toEqual({
    hits: [
      { path: 'Stove.md', line: null, excerpt: null },
      { path: 'Garden.md', line: 3, excerpt: 'The STOVE (cast iron) is warm.' },
    ],
    isCut: false,
  });
  expect(await find('(cast warm')).toMatchObject({ hits: [{ path: 'Garden.md' }] });
  expect(await find('  ')).toEqual({ hits: [], isCut: false });
  await workbench.writeNote('x.md', 'another stove');
  const hits = expect.arrayContaining([expect.objectContaining({ path: 'x.md' })]);
  await expect.poll(() => find('stove'), { timeout: 15_000 }).toMatchObject({ hits });
});

test('reads a note with its blocks, sections, states and results', async () => {
  const text = `---\nmcp:\n  server: scripted\n---\n# One\n\n${echo('hello')}\n## Two\n\n\`\`\`mcp\ntext: x\n\`\`\`\n\n\`\`\`scriptd\ntool: echo\n\`\`\`\n`;
  await using workbench = await openTestWorkbench({ files: { 'n.md': text }, settings });
  const page = await workbench.open();
  const note = await page.get<Note>('/note?path=n.md');
  expect(note).toMatchObject({
    path: 'n.md',
    text,
    session: { executed: 0, limit: 25, level: 'ok' },
    blocks: [
      { server: 'scripted', tool: 'echo', params: { text: 'hello' }, state: 'new', run: null },
      { state: 'invalid', problem: { code: 'block_invalid' } },
      { server: null, language: 'scriptd', problem: { code: 'server_unknown' } },
    ],
    sections: [
      { kind: 'note', server: 'scripted', origin: 'frontmatter', bindLine: 0 },
      { title: '# One', server: 'scripted', inheritedFrom: 'note', bindLine: 5 },
      { title: '## Two', server: 'scripted' },
    ],
  });
  expect(await page.fails('GET', '/note?path=none.md')).toMatchObject({
    status: 404,
    code: 'note_unreadable',
  });
});

test('reports the mistakes of unsaved text at their lines, and stores nothing', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'kept' }, settings });
  const page = await workbench.open();
  await page.get(`/servers/${scripted.id}/tools`);
  const text = `Hello\n\n\`\`\`scripted\ntool: large\nbytes: many\n\`\`\`\n\n\`\`\`scripted\ntool: nothing\n\`\`\`\n`;
  const reading = await page.send<NoteReading>('POST', '/note/check?path=n.md', { text });
  expect(reading.blocks.map(({ mistakes }) => mistakes)).toMatchObject([
    [{ code: 'invalid_params', line: 5 }],
    [
      {
        code: 'tool_not_found',
        message: expect.stringMatching(/^Tool not found: nothing\. Server \S+ offers: /),
        line: 9,
      },
    ],
  ]);
  expect(await workbench.readNote('n.md')).toBe('kept');
});

test('suggests what can be typed at the cursor of unsaved text, and starts no server', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': '' }, settings });
  const page = await workbench.open();
  const suggest = async (text: string) => {
    const body = { text, at: text.length };
    const found = await page.send<{ suggestions: readonly Suggestion[] }>(
      'POST',
      '/note/suggest?path=n.md',
      body,
    );
    return { ...found, suggestions: found.suggestions.map(({ label }) => label) };
  };
  expect(await suggest('```scr')).toEqual({ from: 3, suggestions: ['scripted'] });
  const begun = '```scripted\ntool: ';
  const unknown = await suggest(begun);
  expect(unknown.suggestions).toEqual(['Start the server to see its tools']);
  await page.get(`/servers/${scripted.id}/tools`);
  expect((await suggest(`${begun}ech`)).suggestions).toContain('echo');
  expect((await suggest(`${begun}echo\nt`)).suggestions).toEqual(['text']);
  expect(await suggest('Prose.')).toEqual({ from: 6, suggestions: [] });
});

test('saves a note, and loses neither side when another program wrote it meanwhile', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'first' } });
  const page = await workbench.open();
  const { etag } = await page.get<Note>('/note?path=n.md');
  const saved = await page.send<Note>('PUT', '/note?path=n.md', { text: 'mine', etag });
  expect(saved.text).toBe('mine');
  expect(await workbench.readNote('n.md')).toBe('mine');
  await workbench.writeNote('n.md', 'theirs');
  const body = { text: 'mine again', etag: saved.etag };
  expect(await page.fails('PUT', '/note?path=n.md', body)).toMatchObject({
    status: 409,
    code: 'conflict',
    current: { text: 'theirs' },
  });
  expect(await workbench.readNote('n.md')).toBe('theirs');
  expect(await page.fails('PUT', '/note?path=n.md', { text: 3 })).toMatchObject({
    status: 422,
    code: 'invalid_input',
    fields: { text: expect.any(String), etag: expect.any(String) },
  });
});

test('notifies every page at once that a note was changed on disk, created or removed', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'first' } });
  const [one, two] = [await workbench.open(), await workbench.open()];
  await one.get('/note?path=n.md');
  using first = await one.follow();
  using second = await two.follow();
  await workbench.writeNote('n.md', 'second');
  const changed = await first.until('note-changed', ({ path }) => path === 'n.md');
  expect(await second.until('note-changed')).toEqual(changed);
  expect((await one.get<Note>('/note?path=n.md')).etag).toBe(changed.etag);
  await workbench.writeNote('New folder/m.md', 'new');
  await first.until('notes-changed', ({ added }) => added.includes('New folder/m.md'));
  await workbench.writeNote('New folder/o.md', 'new');
  await first.until('notes-changed', ({ added }) => added.includes('New folder/o.md'));
});

test('runs a block: waiting, running, progress, result in the file', async () => {
  const text = `# N\n\n\`\`\`scripted\ntool: progress\n\`\`\`\n\n${echo('hello')}`;
  await using workbench = await openTestWorkbench({ files: { 'n.md': text }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  const { blocks } = await page.get<Note>('/note?path=n.md');
  const [progress, hello] = blocks;
  const keys = [progress?.key ?? ''];
  expect(
    await page.send<{ runId: string; keys: string[] }>('POST', '/note/run?path=n.md', { keys }),
  ).toMatchObject({
    keys,
  });
  expect(await events.until('run-ended')).toMatchObject({
    path: 'n.md',
    results: [{ key: keys[0], status: 'success', written: true, error: null }],
    error: null,
  });
  const changed = events.events.filter((event) => event.kind === 'block-changed');
  const states = new Set(changed.map(({ run, end }) => end?.status ?? run?.status));
  expect([...states]).toEqual(['pending', 'executing', 'success']);
  expect(changed.at(-2)?.run).toMatchObject({
    progress: { total: 3, message: expect.stringMatching(/^step \d$/) },
  });
  expect(await workbench.readNote('n.md')).toContain('three steps');
  await events.until('note-changed');
  const after = await page.get<Note>('/note?path=n.md');
  expect(after.blocks).toMatchObject([
    { key: keys[0], state: 'fresh', result: { payload: 'three steps' } },
    { key: hello?.key, state: 'new' },
  ]);
  expect(after.session).toMatchObject({ executed: 1 });
  expect(await page.fails('POST', '/note/run?path=n.md', { keys: ['gone'] })).toMatchObject({
    status: 409,
    code: 'conflict',
  });
});

test('runs all, then only what is stale, and not twice what runs already', async () => {
  const text = `${echo('one')}\n${echo('two')}`;
  await using workbench = await openTestWorkbench({ files: { 'n.md': text }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  const all = await page.send<{ runId: string; keys: string[] }>('POST', '/note/run?path=n.md');
  expect(all.keys).toHaveLength(2);
  const again = await page.send<{ runId: string; keys: string[] }>('POST', '/note/run?path=n.md');
  expect(again.keys).toEqual([]);
  await events.until('run-ended', ({ runId }) => runId === all.runId);
  await workbench.writeNote(
    'n.md',
    (await workbench.readNote('n.md')).replace('text: two', 'text: 2'),
  );
  const stale = await page.send<{ runId: string; keys: string[] }>('POST', '/note/run?path=n.md', {
    stale: true,
  });
  expect(stale.keys).toHaveLength(1);
  const ended = await events.until('run-ended', ({ runId }) => runId === stale.runId);
  expect(ended.results).toMatchObject([{ status: 'success' }]);
});

test('cancels one block and lets the other run', async () => {
  const text = `${echo('one')}\n\`\`\`scripted\ntool: hang\n\`\`\`\n`;
  await using workbench = await openTestWorkbench({ files: { 'n.md': text }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  const { keys } = await page.send<{ runId: string; keys: string[] }>(
    'POST',
    '/note/run?path=n.md',
  );
  const [other = '', hanging = ''] = keys;
  await events.until('block-changed', ({ key, end }) => key === other && end !== null);
  await events.until(
    'call-changed',
    ({ call }) => call.tool === 'hang' && call.status === 'executing',
  );
  await expect
    .poll(async () => (await page.get<Note>('/note?path=n.md')).blocks[1]?.run?.status, {
      timeout: 15_000,
    })
    .toBe('executing');
  await page.send('POST', '/note/cancel?path=n.md', { keys: [hanging] });
  const { results } = await events.until('run-ended');
  expect(results).toMatchObject([
    { key: other, status: 'success' },
    { key: hanging, status: 'cancelled' },
  ]);
});

test('asks before an edited result is replaced, keeps it as own text, or replaces it', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': echo('one') }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  const run = async (body: object) => {
    const { runId } = await page.send<{ runId: string; keys: string[] }>(
      'POST',
      '/note/run?path=n.md',
      body,
    );
    return (await events.until('run-ended', (ended) => ended.runId === runId)).results;
  };
  await run({});
  const edit = async () => {
    const text = await workbench.readNote('n.md');
    await workbench.writeNote('n.md', text.replace(/(mcp-result.*\n)one/, '$1mine'));
    return page.get<Note>('/note?path=n.md');
  };
  const edited = await edit();
  expect(edited.blocks).toMatchObject([{ state: 'edited', result: { payload: 'mine' } }]);
  expect(await run({})).toMatchObject([{ status: 'refused', error: { code: 'output_edited' } }]);
  expect(await run({ force: true })).toMatchObject([{ status: 'success' }]);
  const { etag, blocks } = await edit();
  const key = blocks[0]?.key ?? '';
  const decided = { key, decision: 'keep', etag };
  const kept = await page.send<Note>('POST', '/note/result?path=n.md', decided);
  expect(kept).toMatchObject({ blocks: [{ state: 'new', result: null }] });
  expect(kept.text).toContain('```text\nmine\n```');
  expect(await page.fails('POST', '/note/result?path=n.md', decided)).toMatchObject({
    status: 409,
  });
  expect(
    await page.fails('POST', '/note/result?path=n.md', { ...decided, etag: kept.etag }),
  ).toMatchObject({ status: 404 });
});

test("changes a section's binding in the frontmatter, and a forbidden block says so", async () => {
  const other = scriptedServerConfig({}, { name: 'other' });
  await using workbench = await openTestWorkbench({
    files: { 'n.md': `# N\n\n${echo('one')}` },
    settings: { mcpServers: [scripted, other] },
  });
  const page = await workbench.open();
  const { etag, sections } = await page.get<Note>('/note?path=n.md');
  const line = sections.find(({ kind }) => kind === 'heading')?.bindLine ?? 0;
  const bound = await page.send<Note>('POST', '/note/bind?path=n.md', {
    line,
    server: 'other',
    etag,
  });
  expect(bound.text).toMatch(/^---\nmcp:\n {2}sections:\n/);
  expect(bound.blocks).toMatchObject([{ problem: { code: 'section_forbids' } }]);
  expect(await workbench.readNote('n.md')).toBe(bound.text);
  const body = { line: 0, server: null, etag };
  expect(await page.fails('POST', '/note/bind?path=n.md', body)).toMatchObject({ status: 409 });
  const unknown = { line: 0, server: 'nobody', etag: bound.etag };
  expect(await page.fails('POST', '/note/bind?path=n.md', unknown)).toMatchObject({
    status: 422,
    code: 'invalid_input',
  });
  const freed = await page.send<Note>('POST', '/note/bind?path=n.md', {
    line: bound.sections.find(({ kind }) => kind === 'heading')?.bindLine,
    server: null,
    etag: bound.etag,
  });
  expect(freed.text).toBe(`# N\n\n${echo('one')}`);
});

test('makes a note that is gone again, with its folders, and replaces none that is there', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  const path = '/note?path=Some%2FFolder%2Fn.md';
  const saved = await page.send<Note>('PUT', path, { text: 'mine\n', etag: null });
  expect(saved).toMatchObject({ path: 'Some/Folder/n.md', text: 'mine\n' });
  expect(await workbench.readNote('Some/Folder/n.md')).toBe('mine\n');
  expect(await page.fails('PUT', path, { text: 'other', etag: null })).toMatchObject({
    status: 409,
    code: 'conflict',
  });
  expect(await workbench.readNote('Some/Folder/n.md')).toBe('mine\n');
  for (const outside of ['..%2Fn.md', '.hidden%2Fn.md', 'n.txt']) {
    const body = { text: 'x', etag: null };
    expect((await page.fails('PUT', `/note?path=${outside}`, body)).status).not.toBe(200);
  }
});
