import { NoteBlocks } from '@errand/workspace/runs';
import { expect, test } from 'vitest';
import { findBlock } from './find-block.ts';

const body = 'tool: echo\ntext: hello';
const block = `\`\`\`mcp\n${body}\n\`\`\`\n`;
const quoted = block.replace(/^(?=.)/gm, '> ');
const request = { language: 'mcp', body };
const blocksOf = (text: string) =>
  new NoteBlocks(() => ({ servers: [], brokenBindings: [] })).of('note.md', text);

/** The line of the block that is found for one rendered from a text at these lines. */
function lineOf(now: string, shown: string, lineStart: number, lineEnd: number) {
  const rendered = { blocks: blocksOf(shown), place: { lineStart, lineEnd } };
  return findBlock(blocksOf(now), request, rendered)?.block.line;
}

test('finds the block at its line among equal ones', () => {
  const text = `${block}\n${block}`;
  expect(lineOf(text, text, 5, 8)).toBe(6);
});

test('finds the only block of a callout by the lines of the callout', () => {
  const text = `${block}\n> [!note]\n${quoted}`;
  expect(lineOf(text, text, 5, 9)).toBe(7);
});

test('finds a block that moved after it was rendered', () => {
  const shown = `${block}\n${block}`;
  expect(lineOf(`Typed.\n\n${shown}`, shown, 5, 8)).toBe(8);
});

test('does not guess between equal blocks rendered from a part of the note', () => {
  expect(lineOf(`${block}\n# Here\n\n${block}`, `# Here\n\n${block}`, 2, 5)).toBeUndefined();
});

test('does not guess between equal blocks in one callout', () => {
  const text = `> [!note]\n${quoted}>\n${quoted}`;
  expect(lineOf(text, text, 0, 9)).toBeUndefined();
});

test('finds a unique block when its position is unknown or wrong', () => {
  const known = { language: 'mcp', body: `${body}\n` };
  expect(findBlock(blocksOf(`Text.\n\n${block}`), known, undefined)?.block.line).toBe(3);
  expect(lineOf(`Text.\n\n${block}`, block, 40, 44)).toBe(3);
});

test('does not guess between equal blocks when the position is unknown', () => {
  expect(findBlock(blocksOf(`${block}\n${block}`), request, undefined)).toBeUndefined();
});

test('ignores blocks with another text or language', () => {
  for (const other of [{ body: 'tool: other' }, { language: 'mcpx' }]) {
    expect(findBlock(blocksOf(block), { ...request, ...other }, undefined)).toBeUndefined();
  }
});
