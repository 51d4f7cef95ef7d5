import { expect, test } from 'vitest';
import { readTools, type ToolPage } from './read-tools.ts';

const inputSchema = { type: 'object' };

test('joins the pages of a list', async () => {
  const pages: Record<string, ToolPage> = {
    first: { tools: [{ name: 'a', inputSchema }], nextCursor: 'second' },
    second: { tools: [{ name: 'b', inputSchema }] },
  };
  const tools = await readTools('s', async (cursor = 'first') => pages[cursor] ?? {});
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('ends when a cursor comes back', async () => {
  const tools = await readTools('s', async (cursor) => ({
    tools: [{ name: cursor ?? 'start', inputSchema }],
    nextCursor: 'again',
  }));
  expect(tools.map(({ name }) => name)).toEqual(['start', 'again']);
});

test('does not read a list that never ends', async () => {
  let page = 0;
  const endless = readTools('s', async () => {
    page += 1;
    return { tools: [{ name: `tool-${page}`, inputSchema }], nextCursor: `${page}` };
  });
  await expect(endless).rejects.toThrow('does not end');
  const huge = { name: 'huge', description: 'x'.repeat(17 * 1024 * 1024), inputSchema };
  await expect(readTools('s', async () => ({ tools: [huge] }))).rejects.toThrow('does not end');
});

test('keeps the first of two tools with one name, and nothing without a name', async () => {
  const tools = [
    { name: 'a', description: 'first', inputSchema },
    { name: 'a', description: 'second', inputSchema },
    { name: '', inputSchema },
    { inputSchema },
    null,
    'text',
  ];
  expect(await readTools('s', async () => ({ tools }))).toEqual([
    { name: 'a', description: 'first', inputSchema },
  ]);
});

test('believes a hint only when it is a boolean', async () => {
  const annotations = {
    readOnlyHint: 'true',
    idempotentHint: 1,
    destructiveHint: false,
    title: 'T',
    odd: 1,
  };
  const [tool] = await readTools('s', async () => ({
    tools: [{ name: 'a', inputSchema, annotations }],
  }));
  expect(tool?.annotations).toEqual({ destructiveHint: false, title: 'T' });
});

test('passes schemas on untouched, and marks a tool without a usable one', async () => {
  const odd = {
    type: 'object',
    'x-mine': [1],
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  };
  const tools = [
    { name: 'odd', inputSchema: odd, outputSchema: odd },
    { name: 'none', inputSchema: 'text' },
  ];
  expect(await readTools('s', async () => ({ tools }))).toEqual([
    { name: 'odd', inputSchema: odd, outputSchema: odd },
    { name: 'none', inputSchema: {}, broken: 'its input schema is not an object' },
  ]);
});

test('reports an answer that is not a list', async () => {
  await expect(readTools('s', async () => ({ tools: 'none' }))).rejects.toMatchObject({
    code: 'server_unavailable',
  });
});
