import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
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
  expect(await lines({ choice: { stale: true } })).toEqual([]);
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
  await using fixture = await openNoteFixture(block);
  await expect(fixture.run({ choice: { blocks: ['99', '^x'] } })).rejects.toMatchObject({
    code: 'block_invalid',
    message: 'Note.md has no tool block at 99, ^x.',
    advice: [{ kind: 'list-blocks', note: 'Note.md' }],
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
