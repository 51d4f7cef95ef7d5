import { expect, test } from 'vitest';
import { NoteBlocks } from './note-blocks.ts';

const context = { servers: [], brokenBindings: [] };
const block = '```mcp\ntool: echo\n```\n';

test('keeps the key of a block while text and results around it change', () => {
  const blocks = new NoteBlocks(() => context);
  const [before] = blocks.of('note.md', block);
  const [after] = blocks.of('note.md', `Text.\n\n${block}\n\`\`\`mcp-result\nyes\n\`\`\`\n`);
  expect(after?.key).toBe(before?.key);
  expect(after?.block.state).not.toBe('new');
});

test('distinguishes equal blocks', () => {
  const keys = new NoteBlocks(() => context).of('note.md', block + block).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

test('reads a text once', () => {
  const blocks = new NoteBlocks(() => context);
  expect(blocks.of('note.md', block)).toBe(blocks.of('note.md', block));
});

test('reads a block by itself, whatever backticks it holds', () => {
  const alone = new NoteBlocks(() => context).alone('mcp', 'tool: echo\ntext: "```"');
  expect(alone?.tool).toBe('echo');
  expect(alone?.problem).toBeNull();
});
