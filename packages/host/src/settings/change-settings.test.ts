import { expect, test } from 'vitest';
import type { ServerConfig, Settings } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { changeSettings } from './change-settings.ts';

const written = `{
	"mcpSessionLimit": 7,   "colour": "blue",
	"mcpServers": [
		{ "name": "first", "transport": "stdio", "deploymentType": "local",
		  "localConfig": { "args": [ "-y" ], "command": "a" }, "note": "mine" },
		{ "name": "not legal!" },
		{ "id": "2", "name": "second", "transport": "stdio", "deploymentType": "local", "localConfig": { "command": "b" } }
	]
}
`;

const change = (text: string, apply: (current: Settings) => Settings) =>
  changeSettings(text, 'settings.json', apply);

const servers =
  (apply: (servers: readonly ServerConfig[]) => readonly ServerConfig[]) =>
  (current: Settings) => ({
    ...current,
    mcpServers: apply(current.mcpServers),
  });

test('leaves the text alone when nothing changes', () => {
  expect(change(written, (current) => ({ ...current })).text).toBe(written);
});

test('changes one value and no other character', () => {
  const { text, settings } = change(written, (current) => ({ ...current, mcpSessionLimit: 9 }));
  expect(text).toBe(written.replace('7', '9'));
  expect(settings.mcpSessionLimit).toBe(9);
});

test('writes no default into the file', () => {
  const { text } = change('{}', (current) => ({ ...current, logDays: 3 }));
  expect(JSON.parse(text)).toEqual({ logDays: 3 });
});

test('adds what the host writes to the entry it belongs to', () => {
  const { text } = change(
    written,
    servers((list) => list.map((one) => (one.id === '2' ? { ...one, failureCount: 2 } : one))),
  );
  expect(text.split('\n').slice(0, 6)).toEqual(written.split('\n').slice(0, 6));
  expect(JSON.parse(text).mcpServers[2]).toMatchObject({ id: '2', failureCount: 2 });
});

test('changes a nested value and keeps its neighbours as they are written', () => {
  const rename = (one: ServerConfig): ServerConfig =>
    one.name === 'first' ? { ...one, localConfig: { command: 'new', args: ['-y'] } } : one;
  const { text } = change(
    written,
    servers((list) => list.map(rename)),
  );
  expect(text).toContain('"localConfig": { "args": [ "-y" ], "command": "new" }, "note": "mine"');
});

test('keeps the id that came from the name when the name changes', () => {
  const { settings } = change(
    written,
    servers((list) => list.map((one) => (one.name === 'first' ? { ...one, name: 'one' } : one))),
  );
  expect(settings.mcpServers[0]).toMatchObject({ id: 'first', name: 'one' });
});

test('removes an entry and keeps the broken one beside it', () => {
  const { text } = change(
    written,
    servers((list) => list.filter(({ name }) => name !== 'first')),
  );
  const names = JSON.parse(text).mcpServers.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['not legal!', 'second']);
});

test('adds an entry in the file\u2019s own indentation', () => {
  const { text, settings } = change(
    written,
    servers((list) => [...list, exampleServer]),
  );
  expect(settings.mcpServers.at(-1)).toEqual(exampleServer);
  expect(text.startsWith(written.slice(0, written.lastIndexOf('}\n\t]')))).toBe(true);
  expect(text).toContain(`\n\t\t\t"id": "${exampleServer.id}",`);
});

test('puts entries into a new order and forgets none', () => {
  const { text, settings } = change(
    written,
    servers((list) => [exampleServer, ...list.toReversed()]),
  );
  expect(settings.mcpServers.map(({ name }) => name)).toEqual(['notes', 'second', 'first']);
  expect(JSON.parse(text).mcpServers.map(({ name }: { name: string }) => name)).toEqual([
    'notes',
    'second',
    'first',
    'not legal!',
  ]);
  expect(text).toContain('"note": "mine"');
});

test('keeps a broken binding when the bindings change', () => {
  const broken = { sectionType: 'range' };
  const text = JSON.stringify({ mcpServers: [{ ...exampleServer, sectionBindings: [broken] }] });
  const binding = {
    sectionType: 'block',
    blockId: '^a',
    serverId: exampleServer.id,
    inheritToChildren: true,
  } as const;
  const { text: after } = change(
    text,
    servers((list) => list.map((one) => ({ ...one, sectionBindings: [binding] }))),
  );
  expect(JSON.parse(after).mcpServers[0].sectionBindings).toEqual([binding, broken]);
});

test('keeps line ends and a byte order mark', () => {
  const text = '\uFEFF{\r\n  "logDays": 3\r\n}\r\n';
  const { text: after } = change(text, (current) => ({ ...current, onError: 'keep' }));
  expect(after).toBe('\uFEFF{\r\n  "logDays": 3,\r\n  "onError": "keep"\r\n}\r\n');
});

test('refuses what would break an entry, although another is broken already', () => {
  const add = servers((list) => [...list, { ...exampleServer, name: 'also not legal' }]);
  expect(() => change(written, add)).toThrow(/mcpServers\[3\]\.name: .*"also-not-legal".*saved/);
});

test('removes a server that the binding of another one names', () => {
  const binding = { sectionType: 'block', blockId: '^a', serverId: '2' };
  const text = JSON.stringify({
    mcpServers: [
      { ...exampleServer, sectionBindings: [binding] },
      { ...exampleServer, id: '2', name: 'b' },
    ],
  });
  const { settings } = change(
    text,
    servers((list) => list.slice(0, 1)),
  );
  expect(settings.problems).toMatchObject([{ level: 'warning' }]);
});

test('refuses to add to servers that are not a list, and forgets nothing', () => {
  expect(() =>
    change(
      '{ "mcpServers": {} }',
      servers(() => [exampleServer]),
    ),
  ).toThrow(/not a list/);
});
