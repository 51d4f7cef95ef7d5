import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { blockAtLine } from './block-at-line.ts';
import { NoteBlocks } from './note-blocks.ts';

const request = (tool: string) => `\`\`\`files\ntool: ${tool}\n\`\`\`\n`;
const result = '```mcp-result req=1 sum=2 type=text\nx\n```\n';
const text = `Above.\n\n${request('a')}\n${result}\nBetween.\n\n${request('b')}\n${request('a')}`;
const blocks = new NoteBlocks(() => ({ servers: [localServer('files')], brokenBindings: [] })).of(
  'note.md',
  text,
);

test.each([
  [1, undefined],
  [3, 'a'],
  [5, 'a'],
  [7, 'a'],
  [9, 'a'],
  [11, undefined],
  [13, 'b'],
  [15, 'b'],
  [16, undefined],
])('finds the block of a cursor in it or in its result: line %i', (line, tool) => {
  expect(blockAtLine(blocks, line)?.block.tool).toBe(tool);
});
