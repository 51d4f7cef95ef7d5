import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { startTestProgram } from './testing/start-test-program.ts';

const echo = { name: 'a__echo', arguments: { text: 'hi' } };

test.each(['stdio', 'http'] as const)(
  'over %s the first list waits for a slow server, and a call does too',
  async (over) => {
    const servers = { a: { startDelay: 1_500 }, quick: {} };
    await using program = await startTestProgram(over, 'legacy', servers);
    const call = program.client.callTool(echo);
    const { tools } = await program.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['a__echo', 'quick__echo']));
    expect(await call).toMatchObject({ content: [{ text: 'hi' }] });
  },
);

test('the tools of a server that was given up stay listed, and a call says what to do', async () => {
  await using folder = await temporaryFolder();
  const journal = join(folder.path, 'journal');
  writeFileSync(journal, '');
  const servers = { a: { journal, onRestart: 'exit' as const } };
  const plan = { backoffIntervals: [10, 10, 10] };
  await using program = await startTestProgram('http', 'legacy', servers, { plan });
  const { client } = program;
  await client.listTools();
  await client.callTool({ name: 'a__crash', arguments: {} });
  const answer = await client.callTool(echo);
  expect(answer).toMatchObject({ isError: true });
  expect(JSON.stringify(answer.content)).toContain('auto-disabled');
  expect(JSON.stringify(answer.content)).not.toContain('errand servers');
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'a__echo')).toMatchObject({
    _meta: { 'errand/state': 'disabled' },
  });
  const again = await client.callTool(echo);
  expect(again).toMatchObject({ isError: true, _meta: { 'errand/code': 'server_disabled' } });
});
