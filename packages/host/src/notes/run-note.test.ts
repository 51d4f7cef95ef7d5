import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import { openNoteFixture } from '../testing/note-fixture.ts';
import { createLimiter } from './create-limiter.ts';
import type { RunNoteRequest } from './run-note.ts';

const path = 'Note.md';
const block = '```a\ntool: echo\ntext: hello\n```\n';

test('writes the answer below the block and says so', async () => {
  await using fixture = await openNoteFixture(`Before.\n\n${block}\nAfter.\n`);
  expect(await fixture.run()).toMatchObject({
    note: path,
    changed: true,
    results: [
      { line: 3, server: 'a', tool: 'echo', status: 'success', written: true, error: null },
    ],
  });
  expect(fixture.text()).toMatch(
    /```\n\n```mcp-result req=\w+ sum=\w+ type=text\nhello\n```\n\nAfter\.\n$/s,
  );
});

test('runs only the blocks that were asked for', async () => {
  await using fixture = await openNoteFixture(`# One\n\n${block}\n# Two\n\n${block}^two\n`);
  const lines = async (request: Partial<RunNoteRequest>) =>
    (await fixture.run(request)).results.map(({ line }) => line);
  expect(await lines({ choice: { blocks: ['4'] } })).toEqual([3]);
  expect(await lines({ choice: { blocks: ['^two'] } })).toHaveLength(1);
  expect(await lines({ choice: { section: '# Two' } })).toHaveLength(1);
  await expect(lines({ choice: { section: 'One > Two' } })).rejects.toThrow(
    'no section "One > Two".',
  );
  expect(await lines({ choice: { stale: true } })).toEqual([]);
});

test.each([
  ['Tokyo', ['a', 'b']],
  ['Time > Tokyo', ['a']],
  ['# Travel > ## Tokyo', ['b']],
  ['## Time > Tokyo', []],
  ['Travel', ['b', 'c']],
])('finds a section as bindings do: %s', async (section, texts) => {
  const say = (text: string) => block.replace('hello', text);
  await using fixture = await openNoteFixture(
    `# Time\n## Tokyo\n${say('a')}\n# Travel\n## Tokyo\n${say('b')}\n## Oslo\n${say('c')}`,
  );
  await fixture.run({ choice: { section } }).catch(() => {});
  const answers = fixture.text().match(/(?<=mcp-result.*\n)\w/g) ?? [];
  expect(answers).toEqual(texts);
});

test('a call that a model was denied runs only when it is named, or changed', async () => {
  await using fixture = await openNoteFixture(block);
  await fixture.run();
  const denied = fixture
    .text()
    .replace(/mcp-result (req=\w+ sum=\w+)/, 'mcp-error $1 code=approval_denied');
  fixture.notes.texts.set(path, denied);
  for (const choice of [{}, { stale: true }]) {
    expect(await fixture.run({ choice })).toMatchObject({ changed: false, results: [] });
  }
  expect(fixture.calls).toBe(1);
  await fixture.run({ choice: { blocks: ['1'] } });
  expect(fixture.calls).toBe(2);
  fixture.notes.texts.set(path, denied.replace('text: hello', 'text: mine'));
  await fixture.run();
  expect(fixture.calls).toBe(3);
});

test('names the block that is not there, and runs nothing', async () => {
  await using fixture = await openNoteFixture(`${block}^trip\n`);
  await expect(fixture.run({ choice: { blocks: ['99', '^x'] } })).rejects.toMatchObject({
    code: 'block_invalid',
    message: 'Note.md has no tool block at 99, ^x.',
    advice: [{ kind: 'list-blocks', note: 'Note.md' }],
  });
  const near = fixture.run({ choice: { blocks: ['^tripp'] } });
  await expect(near).rejects.toThrow('has no tool block at ^tripp. Did you mean ^trip?');
  await expect(fixture.run({ choice: { section: 'Time > Rome' } })).rejects.toMatchObject({
    code: 'block_invalid',
    message: 'Note.md has no section "Time > Rome".',
    advice: [{ kind: 'list-sections', note: 'Note.md' }],
  });
  expect(fixture.calls).toBe(0);
});

test('does not call a tool whose result was edited by hand', async () => {
  await using fixture = await openNoteFixture(block);
  await fixture.run();
  fixture.notes.texts.set(path, fixture.text().replace('\nhello\n```\n', '\nmy own words\n```\n'));
  const before = fixture.text();
  expect(await fixture.run()).toMatchObject({
    changed: false,
    results: [{ status: 'refused', error: { code: 'output_edited' } }],
  });
  expect(fixture.text()).toBe(before);
  expect(fixture.calls).toBe(1);
  await fixture.run({ force: true });
  expect(fixture.text()).toContain('\nhello\n```');
});

test('calls no tool when the note cannot be written', async () => {
  await using fixture = await openNoteFixture(block);
  fixture.notes.ensureWritable = async () => {
    throw new HostError('note_unreadable', 'Note.md is read-only.');
  };
  await expect(fixture.run()).rejects.toMatchObject({ code: 'note_unreadable' });
  expect(fixture.calls).toBe(0);
});

test('writes an answer that was there before the run was cancelled, with its files', async () => {
  await using fixture = await openNoteFixture(block);
  const stop = new AbortController();
  const data = Buffer.from('pixels').toString('base64');
  fixture.answer = { content: [{ type: 'image', mimeType: 'image/png', data }] };
  const run = fixture.run({}, stop.signal, (event) => {
    if (event.kind === 'state' && event.state.status === 'success') stop.abort();
  });
  expect(await run).toMatchObject({ changed: true, results: [{ status: 'success' }] });
  expect(fixture.text()).toContain('Attachments/1.png');
});

test('makes no more calls at once than were asked for', async () => {
  await using fixture = await openNoteFixture(Array(6).fill(block).join('\n'));
  let running = 0;
  let most = 0;
  const { results } = await fixture.run({ limiter: createLimiter(2) }, undefined, (event) => {
    if (event.kind !== 'state') return;
    if (event.state.status === 'executing') running += 1;
    most = Math.max(most, running);
    if (event.state.status === 'success') running -= 1;
  });
  expect(results.every(({ status }) => status === 'success')).toBe(true);
  expect(most).toBe(2);
});

test('writes nothing for a call that was cancelled', async () => {
  await using fixture = await openNoteFixture(block);
  const stop = new AbortController();
  fixture.whileCalled(() => stop.abort());
  expect(await fixture.run({}, stop.signal)).toMatchObject({
    changed: false,
    results: [{ status: 'cancelled' }],
  });
  expect(fixture.text()).toBe(block);
});

test('skips a disabled server and runs the others', async () => {
  await using fixture = await openNoteFixture(`${block.replace('```a', '```off')}\n${block}`);
  expect((await fixture.run()).results).toMatchObject([
    { status: 'skipped', error: { code: 'server_disabled' } },
    { status: 'success' },
  ]);
  expect(fixture.text().match(/mcp-(result|error)/g)).toEqual(['mcp-result']);
});

test('keeps the last good result when the settings say so', async () => {
  await using fixture = await openNoteFixture(block, { onError: 'keep' });
  await fixture.run();
  const before = fixture.text();
  fixture.answer = { content: [{ type: 'text', text: 'no' }], isError: true };
  expect((await fixture.run()).results).toMatchObject([
    { status: 'error', written: false, error: { code: 'tool_failed' } },
  ]);
  expect(fixture.text()).toBe(before);
});

test('a person who runs many blocks raises the limit of that run to their number', async () => {
  await using fixture = await openNoteFixture(block.repeat(1) + `\n${block}`.repeat(4), {
    mcpSessionLimit: 2,
  });
  expect((await fixture.run()).results.map(({ status }) => status)).toEqual(
    Array(5).fill('success'),
  );
  const limited = await fixture.run({ limit: 1, limiter: createLimiter(1) });
  expect(limited.results.map(({ error }) => error?.code)).toEqual([
    undefined,
    ...Array(4).fill('session_limit'),
  ]);
});

test('results that arrive together are written together', async () => {
  await using fixture = await openNoteFixture(Array(40).fill(block).join('\n'), {
    mcpConcurrentLimit: 40,
  });
  const { results } = await fixture.run();
  expect(results.every(({ written }) => written)).toBe(true);
  expect(fixture.notes.edits).toBeLessThan(10);
});

const writes = '```a\ntool: write\ntext: letter\n```\n';
const upserts = '```a\ntool: upsert\ntext: page\n```\n';

test('a block that may change something waits for all above it and holds all below it', async () => {
  await using fixture = await openNoteFixture([block, block, writes, block, block].join('\n'));
  const order: string[] = [];
  const { results } = await fixture.run({}, undefined, (event) => {
    if (event.kind === 'state' && event.state.status === 'executing') {
      order.push(`${event.block.tool} starts`);
    }
    if (event.kind === 'ended') order.push(`${event.block.tool} ends`);
  });
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill('success'));
  const reads = ['echo starts', 'echo starts', 'echo ends', 'echo ends'];
  expect(order).toEqual([...reads, 'write starts', 'write ends', ...reads]);
});

test('a note run again leaves finished blocks alone whose tool may act a second time', async () => {
  await using fixture = await openNoteFixture([block, writes, upserts].join('\n'));
  await fixture.run();
  expect(fixture.calls).toBe(3);
  const { results, changed } = await fixture.run();
  expect([changed, fixture.calls]).toEqual([false, 5]);
  const left = { status: 'skipped', attempts: 0, written: false, error: { code: 'already_done' } };
  expect(results).toMatchObject([{ status: 'success' }, left, { status: 'success' }]);
  expect(results[1]?.error?.advice).toEqual([{ kind: 'run-again' }]);
});

test.each<[string, Partial<RunNoteRequest>, number]>([
  ['all again', { again: true }, 2],
  ['one block by its line', { choice: { blocks: ['2'] } }, 1],
  ['one block by its line, as a part of a run', { choice: { blocks: ['2'] }, again: false }, 0],
  ['several blocks', { choice: { blocks: ['2', '12'] } }, 0],
  ['with edited results replaced', { force: true }, 0],
])('runs finished blocks: %s', async (_, request, calls) => {
  await using fixture = await openNoteFixture(`${writes}\n${writes}`);
  await fixture.run();
  const before = fixture.calls;
  await fixture.run(request);
  expect(fixture.calls - before).toBe(calls);
});

test("a block that refers to another's answer waits for it, and is called with it", async () => {
  const first = '```a\ntool: echo\ntext: Oslo\n```\n^first\n';
  const second = '```a\ntool: echo\ntext: "from {{ blocks.first }}"\n```\n';
  await using fixture = await openNoteFixture(`${first}\n${second}`);
  const { results } = await fixture.run();
  expect(results.map(({ status }) => status)).toEqual(['success', 'success']);
  expect(fixture.text()).toContain('from Oslo');
  expect(await fixture.run()).toMatchObject({ changed: false });
  await using alone = await openNoteFixture(`${first}\n${second}`);
  expect(await alone.run({ choice: { blocks: ['7'] } })).toMatchObject({
    results: [{ status: 'error', error: { message: expect.stringContaining('^first has no up') } }],
  });
  expect(alone.calls).toBe(0);
});

test('a finished block whose tool may act a second time is called when the answer it refers to has changed', async () => {
  const first = '```a\ntool: echo\ntext: Oslo\n```\n^first\n';
  const second = '```a\ntool: write\ntext: "to {{ blocks.first }}"\n```\n';
  const { text } = await finished(`${first}\n${second}`);
  await using same = await openNoteFixture(text);
  expect(await same.run()).toMatchObject({
    changed: false,
    results: [{ status: 'success' }, { status: 'skipped', error: { code: 'already_done' } }],
  });
  await using redrawn = await openNoteFixture(
    text.replace(/```a(?=\ntool: write)/, '```a display=collapsed'),
  );
  expect(await redrawn.run()).toMatchObject({
    results: [{ status: 'success' }, { status: 'skipped', attempts: 0, written: true }],
  });
  await using other = await openNoteFixture(text);
  other.answer = { content: [{ type: 'text', text: 'Rome' }] };
  expect(await other.run()).toMatchObject({
    results: [{ status: 'success' }, { status: 'success' }],
  });
  expect(await other.run()).toMatchObject({
    changed: false,
    results: [{ status: 'success' }, { status: 'skipped', error: { code: 'already_done' } }],
  });
});

test('a finished block whose form was changed is written anew without a call', async () => {
  const { text } = await finished(writes);
  await using fixture = await openNoteFixture(text.replace('```a', '```a display=collapsed'));
  const { results, changed } = await fixture.run({ again: false });
  expect(results).toMatchObject([{ status: 'skipped', attempts: 0, written: true }]);
  expect([changed, fixture.calls]).toEqual([true, 0]);
  expect(await fixture.run({ again: false })).toMatchObject({ changed: false });
});

test('a finished block whose tool is unknown keeps its answer, and says why it is unknown', async () => {
  const { text, done } = await finished(writes);
  await using fixture = await openNoteFixture(text);
  fixture.memory.connector.behaviours.set('a', {
    connect: async () => {
      throw new HostError('server_unavailable', 'Server "a" does not start.');
    },
  });
  expect(await fixture.run()).toMatchObject({
    changed: false,
    results: [{ status: 'error', error: { message: expect.stringContaining('does not start') } }],
  });
  expect(done).toBe(1);
});

test('a block that another program ran, or somebody changed, while it waited is not called', async () => {
  const { text } = await finished(`${block}\n${writes}\n${upserts}`);
  await using fixture = await openNoteFixture(`${block}\n${writes}\n${upserts}`);
  fixture.whileCalled(() => {
    fixture.notes.texts.set(path, text.replace('text: page', 'text: another page'));
  });
  const { results } = await fixture.run();
  expect(results.map(({ status, error }) => [status, error?.code].join(' '))).toEqual([
    'success ',
    'skipped already_done',
    'refused note_changed',
  ]);
  expect(fixture.calls).toBe(1);
});

test('a block that is cancelled while it waits ends at once, and those below still wait', async () => {
  await using fixture = await openNoteFixture(`${writes}\n${upserts}\n${block}`);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const order: string[] = [];
  fixture.memory.connector.behaviours.set('a', {
    ...fixture.memory.connector.behaviours.get('a'),
    call: async ({ tool }) => {
      order.push(`${tool} called`);
      if (tool === 'write') {
        stop.abort();
        await answered;
      }
      return { content: [] };
    },
  });
  const run = fixture.run(
    {},
    undefined,
    ({ kind, block: { tool } }) => {
      if (kind !== 'ended') return;
      order.push(`${tool} ended`);
      if (tool === 'upsert') answer();
    },
    ({ tool }) => (tool === 'upsert' ? stop.signal : undefined),
  );
  expect((await run).results.map(({ status }) => status)).toEqual([
    'success',
    'cancelled',
    'success',
  ]);
  expect(order).toEqual([
    'write called',
    'upsert ended',
    'write ended',
    'echo called',
    'echo ended',
  ]);
});

/** A note after a run, and how many calls that took. */
async function finished(note: string) {
  await using fixture = await openNoteFixture(note);
  await fixture.run();
  return { text: fixture.text(), done: fixture.calls };
}

// `none`: it ended before this one took the lock, but after this one had read the note.
test.each(
  (['ended', 'none'] as const).flatMap((earlier) => [
    [earlier, {}] as const,
    [earlier, { choice: { blocks: ['1'] } }] as const,
  ]),
)('leaves a block that another program ran meanwhile: %s, %j', async (earlier, request) => {
  const acting = block.replace('echo', 'write');
  await using other = await openNoteFixture(acting);
  await other.run();
  await using fixture = await openNoteFixture(acting);
  const whileRunning: NoteStore['whileRunning'] = (_path, _request, work) => {
    fixture.notes.texts.set(path, other.text());
    return work(earlier);
  };
  Object.assign(fixture.notes, { whileRunning });
  expect(await fixture.run(request)).toMatchObject({
    changed: false,
    results: [{ written: false, error: { code: 'already_done' } }],
  });
  expect(fixture.calls).toBe(0);
});

test('tells once that a program ended in the middle of the call of a block', async () => {
  await using fixture = await openNoteFixture(block.replace('echo', 'write'));
  const whileRunning: NoteStore['whileRunning'] = (_path, _request, work) => work('interrupted');
  Object.assign(fixture.notes, { whileRunning });
  expect(await fixture.run()).toMatchObject({
    changed: true,
    results: [{ status: 'error', error: { code: 'owner_lost' } }],
  });
  expect(fixture.text()).toContain('may have taken effect');
  expect(fixture.calls).toBe(0);
  expect(await fixture.run({ choice: { blocks: ['1'] } })).toMatchObject({
    results: [{ status: 'success' }],
  });
  expect(fixture.calls).toBe(1);
});
