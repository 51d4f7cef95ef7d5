import type { RawToolResult, ToolCall } from '@errand/host';
import { echoTool, textResult } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ask, listTools, openTestGateway, type TestGateway } from './testing/open-test-gateway.ts';

const echo = { name: 'a__echo', arguments: { text: 'hi' } };

test('a gateway that reaches itself refuses the call after four rounds', async () => {
  const seen: unknown[] = [];
  let again: TestGateway | undefined;
  const call = async ({ meta }: ToolCall): Promise<RawToolResult> => {
    seen.push(meta?.['errand/hops']);
    const answer = await ask(again as TestGateway, 'tools/call', { ...echo, _meta: meta });
    return textResult(JSON.stringify(answer));
  };
  await using test = await openTestGateway({ a: { call } });
  again = test;
  const answer = await ask(test, 'tools/call', echo);
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(JSON.stringify(answer)).toContain('one of them reaches itself');
});

test('a gateway that reaches itself lists its own tools four times at most', async () => {
  const own = (hops: number) => ({
    ...echoTool,
    name: `n${hops}`,
    _meta: { 'errand/hops': hops },
  });
  await using test = await openTestGateway({ a: { tools: [1, 2, 3, 4, 5].map(own) } });
  expect(await listTools(test, 'legacy')).toMatchObject([
    { name: 'a__n1', _meta: { 'errand/hops': 2 } },
    { name: 'a__n2' },
    { name: 'a__n3' },
  ]);
});
