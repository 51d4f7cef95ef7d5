import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { echoTool } from '../testing/memory-connector.ts';
import { memoryHost, request } from '../testing/memory-host.ts';
import { isToolAllowed, unusedRules } from './filter-tools.ts';

test.each([
  ['read', {}, true],
  ['read', { allow: ['read'] }, true],
  ['write', { allow: ['read'] }, false],
  ['read_file', { allow: ['read_*'] }, true],
  ['read', { allow: [] }, false],
  ['delete_all', { deny: ['delete_*'] }, false],
  ['a_delete_b_x', { deny: ['*_delete_*_x'] }, false],
  ['a_delete_x', { deny: ['*_delete_*_x'] }, true],
  ['read', { allow: ['*'], deny: ['read'] }, false],
  ['Read', { allow: ['read'] }, false],
])('tool %s under %j: %s', (name, rules, expected) => {
  expect(isToolAllowed(name, rules)).toBe(expected);
});

test('rules that fit no tool are found', () => {
  const rules = { allow: ['read_*', 'reed_*'], deny: ['write', 'wriet'] };
  expect(unusedRules(['read_note', 'write'], rules)).toEqual(['reed_*', 'wriet']);
  expect(unusedRules(['read_note'], {})).toEqual([]);
});

test('a tool that its entry leaves out is neither listed nor called, until the entry changes', async () => {
  const tools = [echoTool, { ...echoTool, name: 'delete_all' }];
  const entry = localServer('a', { tools: { deny: ['delete_*'] } });
  await using fixture = await memoryHost([entry]);
  const { host, connector, change } = fixture;
  connector.behaviours.set('a', { tools });
  const signal = AbortSignal.timeout(5_000);
  expect(await host.servers.tools('a', signal)).toEqual([echoTool]);
  expect(host.servers.lastTools('a')).toBe(host.servers.lastTools('a'));
  expect(host.servers.knownTools('a')).toEqual([echoTool]);
  expect(host.servers.snapshot('a').toolCount).toBe(1);
  expect(await host.execute(request({ toolName: 'delete_all' }))).toMatchObject({
    error: {
      code: 'tool_not_found',
      message:
        'Tool not found: delete_all. Server "a" has it, but "tools" in its entry of the settings leaves it out.',
    },
  });
  await change({ mcpServers: [localServer('a', { tools: { allow: ['delete_all'] } })] });
  expect(host.servers.knownTools('a').map(({ name }) => name)).toEqual(['delete_all']);
  expect(connector.connections).toHaveLength(1);
});
