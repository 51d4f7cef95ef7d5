import { echoTool, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { checkHook, isInvalidating, uncheckedTools } from './check-hook.ts';

const calling = (parameters: object): Hook =>
  hookSchema.parse({
    id: 'a',
    name: 'First',
    trigger: { kind: 'manual' },
    actions: [{ type: 'mcp', parameters: { parameterMappings: [], ...parameters } }],
  });

const text = { toolParam: 'text', source: 'literal', value: 'x' };

async function hostWithTools() {
  const memory = await memoryHost([localServer('notes', { id: 'a', enabled: true })]);
  const inputSchema = { ...echoTool.inputSchema, required: ['text'] };
  memory.connector.behaviours.set('a', { tools: [{ ...echoTool, inputSchema }] });
  await memory.host.servers.tools('a', AbortSignal.timeout(5_000));
  return memory;
}

test.each<[string, object, string[]]>([
  ['nothing', { serverId: 'a', toolName: 'echo', parameterMappings: [text] }, []],
  [
    'nothing, by the name of the server',
    { serverId: 'NOTES', toolName: 'echo', parameterMappings: [text] },
    [],
  ],
  ['a server that was removed', { serverId: 'gone', toolName: 'echo' }, ['server_removed']],
  ['a tool that was removed', { serverId: 'a', toolName: 'ecko' }, ['tool_removed']],
  ['parameters that nothing covers', { serverId: 'a', toolName: 'echo' }, ['parameters_uncovered']],
])('finds %s (fault 3 of the origin)', async (_, parameters, codes) => {
  await using memory = await hostWithTools();
  expect(checkHook(calling(parameters), memory.host).map(({ code }) => code)).toEqual(codes);
});

test('offers to update or remove a hook whose tool is gone, and the nearest name', async () => {
  await using memory = await hostWithTools();
  const [fault] = checkHook(calling({ serverId: 'a', toolName: 'ecko' }), memory.host);
  expect(fault && isInvalidating(fault)).toBe(true);
  expect(fault?.advice).toEqual([
    { kind: 'update-hook', hook: 'First', meant: 'echo' },
    { kind: 'remove-hook', hook: 'First' },
  ]);
});

test('takes a server that never listed its tools at its word, and says that one is switched off', async () => {
  await using memory = await memoryHost([localServer('notes', { id: 'a', enabled: false })]);
  const faults = checkHook(calling({ serverId: 'a', toolName: 'any' }), memory.host);
  expect(faults).toMatchObject([
    { code: 'server_disabled', action: 0, advice: [{ kind: 'enable-server', server: 'notes' }] },
  ]);
  expect(faults.some(isInvalidating)).toBe(false);
});

test('tools of a server that never listed them are unchecked, those of others are not', async () => {
  await using off = await memoryHost([localServer('notes', { id: 'a', enabled: false })]);
  const hook = calling({ serverId: 'a', toolName: 'any' });
  expect(uncheckedTools(hook, off.host)).toEqual([{ server: 'notes', tool: 'any' }]);
  await using listed = await hostWithTools();
  expect(uncheckedTools(hook, listed.host)).toEqual([]);
  expect(uncheckedTools(calling({ serverId: 'gone', toolName: 'any' }), off.host)).toEqual([]);
});

test('finds an assistant that is not there', async () => {
  await using memory = await memoryHost([]);
  const hook = hookSchema.parse({
    id: 'a',
    name: 'First',
    trigger: { kind: 'manual' },
    actions: [{ type: 'agent', parameters: { assistant: 'Claude', prompt: 'x' } }],
  });
  expect(checkHook(hook, memory.host)).toMatchObject([{ code: 'assistant_unknown' }]);
});

test('finds fields that are nearly those that there are, and takes others for what a person emits', async () => {
  await using memory = await memoryHost([]);
  const hook = hookSchema.parse({
    id: 'a',
    name: 'First',
    trigger: { kind: 'manual' },
    conditions: [{ field: 'brnach', exists: true }],
    actions: [
      {
        type: 'custom',
        parameters: { command: 'x', args: ['{{ mine | date }} {{ fil.path }} {{ file.brnach }}'] },
      },
    ],
  });
  expect(checkHook(hook, memory.host).map(({ message, advice }) => [message, advice])).toEqual([
    ['There is no field "brnach".', [{ kind: 'update-hook', hook: 'First', meant: 'branch' }]],
    ['There is no field "fil".', [{ kind: 'update-hook', hook: 'First', meant: 'file' }]],
  ]);
});
