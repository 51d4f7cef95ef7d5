import { expect, test } from 'vitest';
import { openNoteFixture } from '../testing/note-fixture.ts';

const path = 'Note.md';
const block = '```a\ntool: echo\ntext: hello\n```\n';

test('finds its block again when text was written above it while the tool ran', async () => {
  await using fixture = await openNoteFixture(`${block}\nAfter.\n`);
  fixture.whileCalled(() => fixture.notes.texts.set(path, `New text.\n\n${block}\nAfter.\n`));
  await fixture.run();
  expect(fixture.text()).toMatch(
    /^New text\.\n\n```a\n.*?```\n\n```mcp-result.*hello\n```\n\nAfter\.\n$/s,
  );
});

test('keeps the answer in the log when the block was deleted while the tool ran', async () => {
  await using fixture = await openNoteFixture(`${block}\nAfter.\n`);
  fixture.whileCalled(() => fixture.notes.texts.set(path, 'Only this.\n'));
  const { results } = await fixture.run();
  expect(results).toMatchObject([
    { status: 'refused', written: false, error: { code: 'note_changed' } },
  ]);
  expect(results[0]?.error?.message).toMatch(/The result is kept in \.errand\/log\/results\//);
  expect([...fixture.memory.log.results.values()]).toEqual(['hello']);
  expect(fixture.text()).toBe('Only this.\n');
});

test('refuses to choose between equal blocks when one of them was removed', async () => {
  await using fixture = await openNoteFixture(`${block}\nBetween.\n\n${block}`);
  fixture.whileCalled(() => fixture.notes.texts.set(path, `Between.\n\n${block}`));
  const { results } = await fixture.run({ choice: { blocks: ['1'] } });
  expect(results).toMatchObject([{ status: 'refused', error: { code: 'note_changed' } }]);
  expect(fixture.text()).toBe(`Between.\n\n${block}`);
});

test('writes no answer below the remaining one of two equal blocks, which may be either', async () => {
  await using fixture = await openNoteFixture(`${block}\n${block}`);
  fixture.whileCalled(() => fixture.notes.texts.set(path, block));
  const { results } = await fixture.run();
  expect(results.map(({ status }) => status)).toEqual(['refused', 'refused']);
  expect(fixture.text()).toBe(block);
  expect([...fixture.memory.log.results.values()]).toHaveLength(2);
});

test('replaces on request only what was edited before the run began', async () => {
  await using fixture = await openNoteFixture(block);
  await fixture.run();
  const edit = (words: string) =>
    fixture.notes.texts.set(
      path,
      fixture.text().replace(/\nhello[^\n]*\n```\n$/, `\n${words}\n\`\`\`\n`),
    );
  edit('hello before');
  fixture.whileCalled(() => edit('hello meanwhile'));
  const { results } = await fixture.run({ force: true });
  expect(results).toMatchObject([{ status: 'refused', error: { code: 'output_edited' } }]);
  expect(fixture.text()).toContain('hello meanwhile');
  fixture.whileCalled(() => {});
  expect((await fixture.run({ force: true })).results).toMatchObject([{ status: 'success' }]);
  expect(fixture.text()).not.toContain('meanwhile');
});

test('keeps the answer in the log when the note was deleted while the tool ran', async () => {
  await using fixture = await openNoteFixture(block);
  fixture.whileCalled(() => fixture.notes.texts.delete(path));
  expect((await fixture.run()).results).toMatchObject([
    { status: 'refused', error: { code: 'note_unreadable' } },
  ]);
  expect([...fixture.memory.log.results.values()]).toEqual(['hello']);
});

test('shows the answer when neither the note nor the log can store it', async () => {
  await using fixture = await openNoteFixture(block);
  fixture.whileCalled(() => fixture.notes.texts.delete(path));
  fixture.memory.log.keepResult = async () => {
    throw new Error('ENOSPC: no space left on device');
  };
  const { results } = await fixture.run();
  expect(results).toMatchObject([{ status: 'refused', error: { code: 'note_unreadable' } }]);
  expect(results[0]?.error?.message).toMatch(
    /could not be kept in the log either \(ENOSPC: .*\)\. It is:\nhello$/,
  );
});

test('says that the call failed when its error has no place in the note', async () => {
  await using fixture = await openNoteFixture(block);
  fixture.answer = { content: [{ type: 'text', text: 'The station is closed.' }], isError: true };
  fixture.whileCalled(() => fixture.notes.texts.set(path, 'Only this.\n'));
  const { results } = await fixture.run();
  expect(results).toMatchObject([{ status: 'refused', error: { code: 'note_changed' } }]);
  expect(results[0]?.error?.message).toContain('The call had failed: The station is closed.');
});
