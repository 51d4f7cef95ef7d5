import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, findToolBlocks, removeResult, scan } from '@errand/document';
import type { NoteStore } from '@errand/host';
import { runNote } from '@errand/host';
import { echoTool, localServer, MemoryAttachments, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openNoteFolder } from './file-note-store.ts';

const blocks = 2_000;
const megabytes = 10;

// What a run costs is a number of whole writes; a write for every block would be 20 gigabytes.
test('a note of 10 MB with 2,000 blocks is written a few times, not once for every block', {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const original = largeNote();
  await writeFile(join(folder.path, 'Large.md'), original);
  await using memory = await memoryHost([localServer('a')]);
  memory.connector.behaviours.set('a', {
    tools: [{ ...echoTool, annotations: { readOnlyHint: true } }],
    call: async ({ arguments: { text } }) => {
      // Answers trickle in, as those of real servers do.
      await new Promise((resolve) => setTimeout(resolve, Number(text) % 40));
      return { content: [{ type: 'text', text: `answer ${text}` }] };
    },
  });
  const store = openNoteFolder(folder.path, join(folder.path, '.locks'));
  let writes = 0;
  const notes: NoteStore = {
    ...store,
    edit: async (...args) => {
      const changed = await store.edit(...args);
      writes += changed ? 1 : 0;
      return changed;
    },
  };
  const { results } = await runNote(
    { path: 'Large.md', sessionId: 'large' },
    { host: memory.host, notes, attachments: new MemoryAttachments(), log: memory.log },
  );
  expect(results.filter(({ written }) => written)).toHaveLength(blocks);
  expect(writes).toBeLessThan(40);
  const text = await readFile(join(folder.path, 'Large.md'), 'utf8');
  const found = findToolBlocks(scan(text), { servers: [localServer('a')], brokenBindings: [] });
  expect(found.map(({ result }) => result?.payload)).toEqual(
    Array.from({ length: blocks }, (_, index) => `answer ${index}`),
  );
  expect(applyEdits(text, found.flatMap(removeResult)) === original).toBe(true);
});

function largeNote(): string {
  const paragraph = 'Words that somebody wrote about the garden, the weather and the stove.\n';
  const filler = paragraph.repeat((megabytes * 1_000_000) / blocks / paragraph.length);
  return Array.from(
    { length: blocks },
    (_, index) => `## Part ${index}\n\n${filler}\n\`\`\`a\ntool: echo\ntext: ${index}\n\`\`\`\n`,
  ).join('\n');
}
