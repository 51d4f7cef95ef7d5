import { findToolBlocks, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { chooseKeyed, keyBlocks } from './key-blocks.ts';

const context = { servers: [], brokenBindings: [] };
const keyed = (text: string) => keyBlocks(findToolBlocks(scan(text), context));
const block = (tool: string) => `\`\`\`mcp\ntool: ${tool}\n\`\`\`\n`;
const broken = '```mcp\ntool: [\n```\n';

test('a key stays while text and results around the block change', () => {
  const [before] = keyed(block('echo'));
  const [after] = keyed(`Text.\n\n${block('echo')}\n\`\`\`mcp-result\nyes\n\`\`\`\n`);
  expect(after?.key).toBe(before?.key);
  expect(after?.block.line).not.toBe(before?.block.line);
});

test('equal blocks and blocks that cannot run have keys of their own', () => {
  const keys = keyed(block('echo').repeat(2) + broken.repeat(2)).map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
});

test('chooses by key, and names the keys that no block has', () => {
  const all = keyed(block('one') + block('two') + block('three'));
  const keys = [all[2]?.key ?? '', all[0]?.key ?? ''];
  const { chosen, unmet } = chooseKeyed(all, { keys: [...keys, 'gone'] });
  expect(chosen.map(({ block }) => block.tool)).toEqual(['one', 'three']);
  expect(unmet).toEqual(['gone']);
  expect(chooseKeyed(all, {}).chosen).toHaveLength(3);
});

test('a call that a model was denied is chosen only by its key', () => {
  const [{ block: { req = '' } = {} } = {}] = keyed(block('echo'));
  const denied = `${block('echo')}\n\`\`\`mcp-error req=${req} sum=e3b0c442 code=approval_denied\nNo.\n\`\`\`\n`;
  const all = keyed(denied);
  expect(chooseKeyed(all, { stale: true }).chosen).toEqual([]);
  expect(chooseKeyed(all, { keys: all.map(({ key }) => key) }).chosen).toEqual(all);
});
