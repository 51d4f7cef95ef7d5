import { readSettings } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { emptyDraft } from '@errand/workspace/forms';
import { expect, test } from 'vitest';
import { checkServer } from './check-server.ts';
import { linesOf, readLines } from './value-lines.ts';

const settings = { ...readSettings(undefined, 'x'), mcpServers: [localServer('notes')] };
const command = { ...emptyDraft, name: 'mine', command: 'npx -y "a b"' };

test('a form that is right is an entry, switched off', () => {
  const { entry } = checkServer(command, settings, { id: '1' });
  expect(entry).toMatchObject({
    id: '1',
    name: 'mine',
    enabled: false,
    localConfig: { command: 'npx', args: ['-y', 'a b'] },
  });
});

test.each([
  ['a taken name', { name: 'NOTES' }, 'name'],
  ['a reserved name', { name: 'mermaid' }, 'name'],
  ['an impossible name', { name: 'a b' }, 'name'],
  ['no name', { name: '' }, 'name'],
  ['no command', { command: ' ' }, 'command'],
  ['a quote without its partner', { command: 'npx "a' }, 'command'],
  ['a timeout out of range', { timeout: '900' }, 'timeout'],
  ['a line without a name', { env: readLines('just a value', '=') }, 'env'],
  ['no image', { kind: 'image' as const }, 'image'],
  [
    'a container over HTTP without a port',
    { kind: 'image' as const, image: 'x', imageTransport: 'http' as const },
    'image',
  ],
  ['no address', { kind: 'url' as const }, 'url'],
  ['half an address', { kind: 'url' as const, url: 'ftp://x' }, 'url'],
  [
    'an impossible header',
    { kind: 'url' as const, url: 'https://x.example', headers: readLines('A b: c', ':') },
    'headers',
  ],
])('says at its field what is wrong: %s', (_, change, field) => {
  const { mistakes = {} } = checkServer({ ...command, ...change }, settings, { id: '1' });
  expect(Object.keys(mistakes)).toEqual([field]);
});

test('a server may keep its own name', () => {
  const [before] = settings.mcpServers;
  const checked = checkServer({ ...command, name: 'notes' }, settings, {
    id: before?.id ?? '',
    before,
  });
  expect(checked.entry?.enabled).toBe(true);
});

test('lines and pairs are the same', () => {
  const env = 'A=1\nB=x=y \nC=';
  expect(linesOf(readLines(env, '='), '=')).toBe(env);
  const headers = 'Authorization: Bearer a:b';
  expect(linesOf(readLines(`${headers}\n\n`, ':'), ':')).toBe(headers);
});
