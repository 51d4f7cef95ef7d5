import { localServer } from '@errand/host/testing';
import { NoteBlocks } from '@errand/workspace/runs';
import { expect, test } from 'vitest';
import { markedBlocks } from './marked-blocks.ts';

const text =
  '```notes\ntool: a\n```\n\nwords\n\n```notes\ntool: b\n```\n\n```notess\ntool: c\n```\n';
const blocks = new NoteBlocks(() => ({ servers: [localServer('notes')], brokenBindings: [] })).of(
  'note.md',
  text,
);
const everything = [{ from: 0, to: text.length }];
const at = (word: string) => [{ from: text.indexOf(word), to: text.indexOf(word) }];

test.each([
  ['the source: every block that can be seen', false, everything, at('words'), ['a', 'b', 'c']],
  ['the source: none that cannot be seen', false, at('words'), at('words'), []],
  ['Live Preview: the block with the cursor', true, everything, at('tool: b'), ['b', 'c']],
  ['Live Preview: a misspelled server, which has no card', true, everything, at('words'), ['c']],
])('%s', (_, isLivePreview, visible, selected, tools) => {
  const marked = markedBlocks(blocks, { isLivePreview, visible, selected });
  expect(marked.map(({ block }) => block.tool)).toEqual(tools);
});
