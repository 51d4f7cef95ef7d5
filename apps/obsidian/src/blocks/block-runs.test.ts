import { findToolBlocks, scan } from '@errand/document';
import { localServer, MemoryAttachments, MemoryNotes, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { BlockRuns } from './block-runs.ts';

const path = 'a.md';
const block = (text: string) => `\`\`\`a\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test('what still runs is not forgotten because another answer met a defect', async () => {
  await using world = await memoryHost([localServer('a')]);
  const slow = Promise.withResolvers<void>();
  world.connector.behaviours.set('a', {
    call: async (call) => {
      if (call.arguments.text === 'slow') await slow.promise;
      return { content: [{ type: 'text', text: 'done' }] };
    },
  });
  const text = `${block('fast')}\n${block('slow')}`;
  const notes = new MemoryNotes({ [path]: text });
  const edit = notes.edit.bind(notes);
  const broken = Promise.withResolvers<void>();
  notes.edit = async () => {
    notes.edit = edit;
    broken.resolve();
    throw new TypeError('a defect');
  };
  const context = world.host.servers.noteContext(path);
  const blocks = findToolBlocks(scan(text), context).map((each) => ({
    key: each.source,
    block: each,
  }));
  await using runs = new BlockRuns({ ...world, attachments: new MemoryAttachments() });
  const store = {
    read: notes.read.bind(notes),
    ensureWritable: () => notes.ensureWritable(),
    edit: (...given: Parameters<MemoryNotes['edit']>) => notes.edit(...given),
  };
  const [fast, last] = runs.runMany({ path, text, blocks, force: false }, store);
  await broken.promise;
  // Until the microtasks of the failure are through.
  await new Promise(setImmediate);
  expect(runs.runOf(path, blocks[1]?.key ?? '')).toBeDefined();
  slow.resolve();
  await expect(fast).rejects.toThrow('a defect');
  expect(await last).toMatchObject({ status: 'success', written: true });
  expect(runs.countOf(path)).toBe(0);
});
