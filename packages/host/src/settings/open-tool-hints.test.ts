import { expect, test } from 'vitest';
import type { ToolAnnotations, ToolDescription } from '../connection.ts';
import { exampleServer } from '../testing/example-server.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { createMemoryTrustStore } from '../testing/memory-trust-store.ts';
import { openToolHints } from './open-tool-hints.ts';
import { openTrust } from './open-trust.ts';

const { signal } = new AbortController();

function tool(name: string, annotations?: ToolAnnotations): ToolDescription {
  return { name, inputSchema: { type: 'object' }, ...(annotations && { annotations }) };
}

async function agreed(tools: readonly ToolDescription[]) {
  const store = createMemoryTrustStore();
  const trust = await openTrust(store);
  await trust.agree([exampleServer]);
  const hints = await openToolHints(store, trust);
  await hints.observe(exampleServer, tools);
  return { store, trust, hints };
}

test.each([
  ['read', undefined, { readOnlyHint: true }, 'read says now that it only reads'],
  ['read', { readOnlyHint: false }, { readOnlyHint: true }, 'read says now that it only reads'],
  [
    'wipe',
    undefined,
    { destructiveHint: false },
    'wipe no longer says that it may destroy something',
  ],
  [
    'find',
    { readOnlyHint: true, openWorldHint: true },
    { readOnlyHint: true },
    'find no longer says that it reaches beyond this machine',
  ],
] as const)('%s: %j that becomes %j is a change', async (name, before, after, change) => {
  const { hints } = await agreed([tool(name, before)]);
  const now = tool(name, after);
  expect(hints.hasChanged(exampleServer, tool(name, before))).toBe(false);
  expect(hints.hasChanged(exampleServer, now)).toBe(true);
  await hints.observe(exampleServer, [now]);
  expect(hints.changes(exampleServer)).toEqual([change]);
});

test('a tool that comes later and says that it only reads is a change', async () => {
  const { hints } = await agreed([tool('a')]);
  await hints.observe(exampleServer, [
    tool('a'),
    tool('b\u202e', { readOnlyHint: true }),
    tool('constructor', { readOnlyHint: true }),
    tool('c'),
  ]);
  expect(hints.changes(exampleServer)).toEqual([
    '"b\\u202e" is new, and says that it only reads',
    'constructor is new, and says that it only reads',
  ]);
});

test('what becomes stricter, or goes back to what was agreed to, is no change', async () => {
  const { hints } = await agreed([tool('read', { readOnlyHint: true })]);
  const stricter = tool('read', { openWorldHint: true });
  await hints.observe(exampleServer, [stricter]);
  expect(hints.hasChanged(exampleServer, stricter)).toBe(false);
  expect(hints.hasChanged(exampleServer, tool('read', { readOnlyHint: true }))).toBe(false);
  await hints.observe(exampleServer, [tool('other', { readOnlyHint: true })]);
  expect(hints.changes(exampleServer)).toHaveLength(1);
  await hints.observe(exampleServer, [stricter]);
  expect(hints.changes(exampleServer)).toEqual([]);
});

test('keeps an approval of changed hints across processes, and resets it with a new approval', async () => {
  const { store, trust, hints } = await agreed([tool('read')]);
  const now = tool('read', { readOnlyHint: true });
  await hints.observe(exampleServer, [now]);
  const elsewhere = await openToolHints(store, trust);
  expect(elsewhere.changes(exampleServer)).toHaveLength(1);
  // A changed timeout does not approve the tools.
  await trust.agree([{ ...exampleServer, timeout: 5_000 }]);
  expect(elsewhere.hasChanged(exampleServer, now)).toBe(true);
  await elsewhere.agree([exampleServer]);
  expect(elsewhere.changes(exampleServer)).toEqual([]);
  expect(elsewhere.hasChanged(exampleServer, now)).toBe(false);
  const other = { ...exampleServer, localConfig: { command: 'other' } };
  await trust.agree([other]);
  await elsewhere.observe(other, [tool('write')]);
  expect(elsewhere.hasChanged(other, tool('write', { readOnlyHint: true }))).toBe(true);
});

test('nothing is kept of a server that nobody agreed to', async () => {
  const store = createMemoryTrustStore();
  const trust = await openTrust(store, { trustAll: true });
  const hints = await openToolHints(store, trust);
  await hints.observe(exampleServer, [tool('read')]);
  expect(await store.load()).toEqual(new Map());
  expect(hints.hasChanged(exampleServer, tool('read', { readOnlyHint: true }))).toBe(false);
});

test('notifies once when a running server changes the hints of its tools', async () => {
  const { store, trust, hints } = await agreed([tool('echo')]);
  await using memory = await memoryHost([exampleServer], {}, { hints });
  const behaviour = { tools: [tool('echo', { readOnlyHint: true })] };
  memory.connector.behaviours.set(exampleServer.id, behaviour);
  await memory.host.servers.tools(exampleServer.id, signal);
  await memory.host.servers.refreshTools(exampleServer.id, signal);
  await expect
    .poll(() => memory.notices.filter(({ level }) => level === 'warning'))
    .toEqual([
      {
        level: 'warning',
        message: `The tools of server "${exampleServer.name}" claim more than when you agreed to it: echo says now that it only reads. A model that calls one of them asks you first.`,
        advice: [{ kind: 'review-trust' }],
        server: exampleServer.name,
      },
    ]);
  expect((await openToolHints(store, trust)).changes(exampleServer)).toHaveLength(1);
});
