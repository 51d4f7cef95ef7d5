import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { findToolBlocks } from './find-tool-blocks.ts';
import { relocateBlock } from './relocate-block.ts';
import type { ToolBlock } from './tool-block.ts';

function read(text: string, servers: readonly string[] = ['weather', 'db']) {
  const scanned = scan(text);
  return { scan: scanned, blocks: findToolBlocks(scanned, contextOf(servers)) };
}

/** On which line the block is now, or null. */
function relocate(before: string, now: string, index = 0) {
  const was = read(before);
  const found = relocateBlock(was.blocks[index] as ToolBlock, was, read(now));
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
  const found = relocateBlock(was.blocks[0] as ToolBlock, was, read(note, ['db', 'weather']));
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
