import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { findToolBlocks } from './find-tool-blocks.ts';
import { relocateBlocks } from './relocate-blocks.ts';
import type { ToolBlock } from './tool-block.ts';

function read(text: string, servers: readonly string[] = ['weather', 'db']) {
  const scanned = scan(text);
  return { scan: scanned, blocks: findToolBlocks(scanned, contextOf(servers)) };
}

/** On which line the block is now, or null. */
function relocate(before: string, now: string, index = 0) {
  const was = read(before);
  const found = relocateBlocks(was, read(now))(was.blocks[index] as ToolBlock);
  return found.kind === 'found' ? found.block.line : null;
}

const a = '```weather\ntool: a\n```\n';
const b = '```weather\ntool: b\n```\n';

test('finds a block whose surroundings changed', () => {
  expect(relocate(`x\n${a}y\n`, `new\n\nx\n${a}changed\n`)).toBe(4);
  expect(relocate(`${a}${b}`, `${b}${a}`)).toBe(4);
  expect(relocate(a, `> ${a.trimEnd().replaceAll('\n', '\n> ')}\n`)).toBe(1);
});

test('does not find a block that was changed or removed', () => {
  expect(relocate(a, b)).toBeNull();
  expect(relocate(a, 'text')).toBeNull();
  expect(relocate(a, `%%\n${a}%%\n`)).toBeNull();
  expect(relocate(a, a.replace('weather', 'db'))).toBeNull();
});

test('does not find a block whose section is now bound to another server', () => {
  const note = '```mcp\ntool: a\n```\n';
  const was = read(note);
  const found = relocateBlocks(was, read(note, ['db', 'weather']))(was.blocks[0] as ToolBlock);
  expect(found).toMatchObject({ kind: 'lost', message: expect.stringContaining('line 1') });
});

test('distinguishes equal blocks by their order while their number is unchanged', () => {
  expect(relocate(`${a}\n${a}`, `x\n\n${a}\ny\n\n${a}`, 1)).toBe(9);
  expect(relocate(`${a}\n${a}`, `x\n\n${a}\ny\n\n${a}`, 0)).toBe(3);
});

test('distinguishes equal blocks by the text around them', () => {
  expect(relocate(`x\n${a}y\n${a}z\n`, `x\n${a}y\n${a}new\n${a}z\n`, 0)).toBe(2);
  expect(relocate(`x\n${a}y\n${a}z\n`, `x\n${a}y\n${a}new\n${a}z\n`, 1)).toBeNull();
});

test('distinguishes equal blocks by their ids', () => {
  expect(relocate(`${a}^one\n\n${a}^two\n`, `${a}^two\n\n${a}^one\n`, 0)).toBe(6);
  expect(relocate(`${a}^one\n\n${a}^two\n`, `new\n\n${a}^two\n`, 1)).toBe(3);
  expect(relocate(`${a}^one\n\n${a}^two\n`, `new\n\n${a}^two\n`, 0)).toBeNull();
});

test('does not guess between equal blocks', () => {
  expect(relocate(`x\n${a}y\n${a}z\n`, `new\n${a}new\n`, 0)).toBeNull();
  expect(relocate(`x\n${a}y\n`, `new\n${a}\n${a}new\n`, 0)).toBeNull();
});

test('never finds a block in another section than its own, where it has equals', () => {
  const note = `# A\n\n${a}\n# B\n\n${a}\n# C\n`;
  // The first is deleted, and a copy is pasted below the last heading.
  const moved = `# A\n\n# B\n\n${a}\n# C\n\n${a}`;
  expect(relocate(note, moved, 0)).toBeNull();
  expect(relocate(note, moved, 1)).toBe(5);
  // The same with other edits at the beginning and the end.
  expect(relocate(note, `new\n\n${moved}\nnew\n`, 0)).toBeNull();
  expect(relocate(note, `new\n\n${moved}\nnew\n`, 1)).toBe(7);
});

test('distinguishes equal blocks by their section when text changed before and after them', () => {
  const note = `# A\n\n${a}\n# B\n\n${a}`;
  const changed = `new\n\n${note}\nnew\n`;
  expect(relocate(note, changed, 0)).toBe(5);
  expect(relocate(note, changed, 1)).toBe(11);
});

test('does not guess between sections of the same name', () => {
  const note = `# A\n\n${a}\n# A\n\n${a}`;
  expect(relocate(note, `new\n\n${note}\nnew\n`, 0)).toBeNull();
  expect(relocate(note, `${note}\nnew\n`, 0)).toBe(3);
  expect(relocate(note, `new\n\n${note}`, 1)).toBe(11);
});

test('does not guess which of several equal blocks in a row was deleted', () => {
  expect(relocate(`${a}\n${a}`, a, 0)).toBeNull();
  expect(relocate(`${a}\n${a}`, a, 1)).toBeNull();
  expect(relocate(`${a}\n${a}`, `${a}\n${a}\n${a}`, 0)).toBeNull();
});

test('results that come and go leave equal blocks where they are', () => {
  const result = '\n```mcp-result req=1 sum=2 type=text\nx\n```\n';
  expect(relocate(`${a}\n${a}\n${a}`, `${a}${result}\n${a}\n${a}${result}`, 1)).toBe(9);
  expect(relocate(`${a}${result}\n${a}\n${a}`, `${a}\n${a}\n${a}${result}`, 1)).toBe(5);
});
