import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { readJournal } from '../testing/journal.ts';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = [{ name: 'research', execution: { taskSupport: 'required' }, inputSchema }];

test('a tool that runs only as a task is waited for, and given up with its call', async () => {
  await using bench = new ConnectionBench();
  const journal = join(bench.folder, 'journal.jsonl');
  const connection = await bench.local({ tools, journal });
  const listed = await connection.listTools(soon());
  expect(listed.find(({ name }) => name === 'research')).toEqual({ name: 'research', inputSchema });
  expect(await callText(connection, 'research', { text: 'birds' })).toBe('done: birds');

  const asked = () => readJournal(journal).map(({ tool }) => tool);
  const controller = new AbortController();
  const call = { tool: 'research', arguments: { text: 'hang' } };
  const hanging = connection.callTool(call, { signal: controller.signal });
  await expect.poll(() => asked().filter((tool) => tool === 'tasks/result')).toHaveLength(2);
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(asked).toContain('tasks/cancel');
});
