import { findToolBlocks, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { ManualClock, settled } from '../testing/manual-clock.ts';
import { MemoryNotes } from '../testing/memory-notes.ts';
import { NoteWriter } from './note-writer.ts';

const answer = { status: 'success', type: 'text', payload: 'hello' } as const;

test('batches results that trickle in, and writes the last without delay', async () => {
  const fixture = openFixture(5);
  const written = [fixture.write(0)];
  await fixture.clock.advance(10);
  await written[0];
  expect(fixture.notes.edits).toBe(1);

  // The write took 10 ms, so the next is 40 ms away.
  written.push(fixture.write(1), fixture.write(2));
  await fixture.clock.advance(39);
  expect(fixture.notes.edits).toBe(1);
  await fixture.clock.advance(20);
  expect(fixture.notes.edits).toBe(2);

  written.push(fixture.write(3));
  await settled();
  expect(fixture.notes.edits).toBe(2);
  written.push(fixture.write(4));
  await settled();
  await fixture.clock.advance(10);
  expect(await Promise.all(written)).toEqual(Array(5).fill(true));
  expect(fixture.notes.edits).toBe(3);
});

test('does not rest after a result that the blocks below wait for', async () => {
  const fixture = openFixture(3);
  for (let index = 0; index < 3; index++) {
    const written = fixture.write(index, true);
    await settled();
    await fixture.clock.advance(10);
    expect(fixture.notes.edits).toBe(index + 1);
    await written;
  }
});

test('does not wait for blocks that have nothing to write', async () => {
  const fixture = openFixture(3);
  const first = fixture.write(0);
  await fixture.clock.advance(10);
  await first;
  const second = fixture.write(1);
  await settled();
  expect(fixture.notes.edits).toBe(1);
  fixture.writer.expectNoMore(fixture.block(2));
  await settled();
  await fixture.clock.advance(10);
  expect(await second).toBe(true);
});

test('reads a note again only when another program changed it', async () => {
  const fixture = openFixture(40);
  const run = async (index: number) => {
    const line = (await fixture.writer.find(fixture.block(index))).line;
    const written = fixture.write(index, true);
    await settled();
    await fixture.clock.advance(10);
    await written;
    return line;
  };
  for (let index = 0; index < 20; index++) expect(await run(index)).toBe(1 + 8 * index);
  expect(fixture.reads).toBe(0);
  const text = fixture.notes.texts.get('Note.md');
  fixture.notes.texts.set('Note.md', `New.\n\n${text}`);
  for (let index = 20; index < 40; index++) expect(await run(index)).toBe(3 + 8 * index);
  expect(fixture.reads).toBe(1);
  expect(fixture.notes.texts.get('Note.md')?.match(/mcp-result/g)).toHaveLength(40);
});

/** A note of equal blocks in a store that needs 10 ms for a write. */
function openFixture(count: number) {
  const text = Array(count).fill('```a\ntool: echo\n```\n').join('\n');
  let reads = 0;
  const servers = [localServer('a')];
  const note = scan(text);
  const blocks = findToolBlocks(note, { servers, brokenBindings: [] });
  const context = {
    servers,
    get brokenBindings() {
      reads += 1;
      return [];
    },
  };
  const clock = new ManualClock();
  const notes = new MemoryNotes({ 'Note.md': text });
  const slow = {
    read: (path: string) => notes.read(path),
    ensureWritable: () => notes.ensureWritable(),
    edit: async (path: string, change: Parameters<MemoryNotes['edit']>[1]) => {
      await clock.sleep(10);
      return notes.edit(path, change);
    },
  };
  const before = { scan: note, blocks };
  const options = { path: 'Note.md', notes: slow, context, before, expected: blocks, clock };
  const writer = new NoteWriter({ ...options, force: false });
  const block = (index: number) => {
    const found = blocks[index];
    if (found === undefined) throw new Error(`There is no block ${index}.`);
    return found;
  };
  return {
    get reads() {
      return reads;
    },
    notes,
    clock,
    writer,
    block,
    write: (index: number, holdsOthers?: boolean) =>
      writer.write(block(index), answer, holdsOthers),
  };
}
