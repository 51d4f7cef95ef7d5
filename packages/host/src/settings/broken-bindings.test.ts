import { resolveSections, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';

const local = { transport: 'stdio', deploymentType: 'local', localConfig: { command: 'x' } };
const other = { name: 'other', ...local, enabled: true };
const binding = { sectionType: 'heading', headingText: 'Secret', documentPath: 'n.md' };

/** What a note with the headings Secret and Free may do, and what is told about it. */
function decide(file: unknown, path = 'n.md') {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const { mcpServers: servers, brokenBindings, problems: stored } = readSettings(text, 'f');
  const context = { servers, brokenBindings, documentPath: path };
  const { decide: at, problems } = resolveSections(scan('# Secret\n# Free\n'), context);
  return {
    secret: at(1).kind,
    free: at(2).kind,
    reported: problems.map(({ message }) => message),
    stored: stored.map(({ path: place, message }) => `${place}: ${message}`),
  };
}

const bindingOf = (change: object) => ({
  mcpServers: [{ name: 'db', ...local, sectionBindings: [{ ...binding, ...change }] }, other],
});

test.each([
  ['a wrong word for the type', bindingOf({ sectionType: 'headng' })],
  ['a type that does not go with the rest', bindingOf({ sectionType: 'block' })],
  ['a key too many', bindingOf({ colour: 'red' })],
  ['a misspelt key', bindingOf({ inheritToChildrn: false })],
  ['a word for a choice', bindingOf({ inheritToChildren: 'no' })],
  ['a number for the server', bindingOf({ serverId: 5 })],
])('a binding with %s forbids its section, and only that', (_, file) => {
  const { secret, free, reported, stored } = decide(file);
  expect({ secret, free }).toEqual({ secret: 'refused', free: 'unbound' });
  expect(reported).toHaveLength(1);
  expect(stored[0]).toMatch(/^mcpServers\[0\]\.sectionBindings\[0\]/);
  expect(reported[0]).toBe(`Settings of db: ${stored[0]}`);
  expect(decide(file, 'elsewhere.md')).toMatchObject({ secret: 'unbound', reported: [] });
});

test.each([
  ['a number for the heading', bindingOf({ headingText: 5 })],
  ['no heading', bindingOf({ headingText: '' })],
  ['two sections', bindingOf({ blockId: '^a' })],
  [
    'a range that is reversed',
    bindingOf({ sectionType: 'range', headingText: undefined, startLine: 2, endLine: 1 }),
  ],
  ['a text instead of itself', { mcpServers: [{ ...other, sectionBindings: ['Secret'] }] }],
])('a binding with %s forbids the note', (_, file) => {
  expect(decide(file)).toMatchObject({ secret: 'refused', free: 'refused' });
  expect(decide(file).reported).toHaveLength(1);
});

const entryOf = (change: object) => ({
  mcpServers: [{ name: 'db', ...local, sectionBindings: [binding], ...change }, other],
});

test.each([
  ['a wrong transport', entryOf({ transport: 'stdoi' }), 'mcpServers[0].transport'],
  ['no name', entryOf({ name: undefined }), 'mcpServers[0]'],
  ['a wrong timeout', entryOf({ timeout: 'long' }), 'mcpServers[0].timeout'],
  ['an object for the list', entryOf({ sectionBindings: binding }), 'sectionBindings'],
  [
    'a name that is taken',
    { mcpServers: [other, { ...entryOf({}).mcpServers[0], name: 'OTHER' }] },
    'mcpServers[1].name',
  ],
  [
    'an id that is taken',
    { mcpServers: [other, { ...entryOf({}).mcpServers[0], id: 'other' }] },
    'mcpServers[1].id',
  ],
])('an entry with %s keeps its sections closed', (_, file, path) => {
  const { secret, free, reported } = decide(file);
  expect({ secret, free }).toEqual({ secret: 'refused', free: 'unbound' });
  expect(reported).toEqual([expect.stringContaining(path)]);
});

test.each([
  entryOf({ sectionBindings: undefined, sectionBinding: [binding] }),
  entryOf({ sectionBindings: undefined, sectionbindings: [binding] }),
  entryOf({ sectionBindings: undefined, bindings: [binding] }),
  { mcpServers: [other], sectionBindings: [binding] },
])('a key that was to be sectionBindings forbids what it names: %j', (file) => {
  const { secret, free, reported } = decide(file);
  expect({ secret, free }).toEqual({ secret: 'refused', free: 'unbound' });
  expect(reported).toEqual([expect.stringContaining('Write "sectionBindings"')]);
});

test('bindings that are written twice forbid the note, since the first are not known', () => {
  const text = JSON.stringify(entryOf({})).replace(
    '"sectionBindings":',
    '"sectionBindings":[],"sectionBindings":',
  );
  expect(decide(text)).toMatchObject({ secret: 'refused', free: 'refused' });
  const inner = JSON.stringify(entryOf({})).replace(
    '"headingText":',
    '"headingText":"x","headingText":',
  );
  expect(decide(inner)).toMatchObject({ secret: 'refused', free: 'refused' });
});

test.each(['/n.md', './n.md', 'n', 'N.md', 'n.MD', 'x/../n.md', '\\n.md'])(
  'the path %s means the note',
  (documentPath) => {
    expect(decide(bindingOf({ documentPath }))).toMatchObject({ secret: 'bound', reported: [] });
  },
);
