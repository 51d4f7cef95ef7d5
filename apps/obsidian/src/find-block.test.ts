import { expect, test } from 'vitest';
import { findBlock } from './find-block.ts';
import { NoteBlocks } from './note-blocks.ts';

const body = 'tool: echo\ntext: hello';
const block = `\`\`\`mcp\n${body}\n\`\`\`\n`;
const blocksOf = (text: string) => new NoteBlocks(() => []).of('note.md', text);

test('finds the block at its line among equal ones', () => {
  const blocks = blocksOf(`${block}\n${block}`);
  const found = findBlock(blocks, body, { lineStart: 5, lineEnd: 8 });
  expect(found?.block.line).toBe(6);
  expect(found).toBe(blocks[1]);
});

test('finds the only block of a callout by the lines of the callout', () => {
  const quoted = block.replace(/^(?=.)/gm, '> ');
  const found = findBlock(blocksOf(`${block}\n> [!note]\n${quoted}`), body, {
    lineStart: 5,
    lineEnd: 9,
  });
  expect(found?.block.line).toBe(7);
});

test('finds the only block like it when its place is not known', () => {
  expect(findBlock(blocksOf(`Text.\n\n${block}`), `${body}\n`, undefined)?.block.line).toBe(3);
});

test('takes none of equal blocks when the place is not known', () => {
  expect(findBlock(blocksOf(`${block}\n${block}`), body, undefined)).toBeUndefined();
});

test('takes no block with another text', () => {
  expect(findBlock(blocksOf(block), 'tool: other', { lineStart: 0, lineEnd: 3 })).toBeUndefined();
});
