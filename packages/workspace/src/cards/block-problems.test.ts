import { findToolBlocks, scan, type ToolBlock } from '@errand/document';
import { localServer, type MemoryHost, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { blockMistakes, blockProblem } from './block-problems.ts';

const { signal } = new AbortController();
const tool = {
  name: 'look',
  inputSchema: {
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
  },
} as const;

async function openFixture({ isKnown = true } = {}) {
  const memory = await memoryHost([localServer('a', { id: 'a' })]);
  memory.connector.behaviours.set('a', { tools: [tool] });
  if (isKnown) await memory.host.servers.tools('a', signal);
  return memory;
}

function blockOf({ host }: MemoryHost, text: string): ToolBlock {
  const [block] = findToolBlocks(scan(text), host.servers.noteContext('n.md'));
  if (block === undefined) throw new Error('The note has no block.');
  return block;
}

test.each([
  ['tool: look\ncount: 3', []],
  ['tool: look\ncount: many', [{ code: 'invalid_params', line: 4 }]],
  ['tool: lok', [{ code: 'tool_not_found', line: 3, advice: [{ kind: 'correct-tool' }] }]],
])('finds what the tool would refuse, at its line: %j', async (body, mistakes) => {
  await using memory = await openFixture();
  const block = blockOf(memory, `# Title\n\`\`\`a\n${body}\n\`\`\`\n`);
  expect(blockMistakes(block, memory.host)).toMatchObject(mistakes);
  expect(blockProblem(block)).toBeNull();
});

test('knows no mistakes before the server was started, and does not start it', async () => {
  await using memory = await openFixture({ isKnown: false });
  const block = blockOf(memory, '```a\ntool: lok\n```\n');
  expect(blockMistakes(block, memory.host)).toEqual([]);
  expect(memory.host.servers.snapshot('a').connectionState).toBe('disconnected');
});

test('of a block that waits for the answer of another, the card says which, and its schema complains of nothing', async () => {
  await using memory = await openFixture();
  const text =
    '```a\ntool: look\ncount: 1\n```\n^w1\n\n```a\ntool: look\ncount: "{{ blocks.w1 }}"\n```\n';
  const [, block] = findToolBlocks(scan(text), memory.host.servers.noteContext('n.md'));
  expect(blockMistakes(block as ToolBlock, memory.host)).toMatchObject([
    { message: 'The block ^w1 has no up-to-date answer (new). Run it first.', line: 9 },
  ]);
});

test('a block that cannot be read has a problem, and no mistakes beside it', async () => {
  await using memory = await openFixture();
  const block = blockOf(memory, '```a\ncount: [\n```\n');
  expect(blockProblem(block)).toMatchObject({ code: 'yaml_invalid', line: 2 });
  expect(blockMistakes(block, memory.host)).toEqual([]);
});
