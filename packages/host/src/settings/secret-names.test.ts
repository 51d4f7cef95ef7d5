import { expect, test } from 'vitest';
import { exampleServer } from '../testing/index.ts';
import { readSettings } from './read-settings.ts';
import { findClearSecrets, namedSecrets } from './secret-names.ts';

test('recognises a plain-text secret by its name, and ignores references', () => {
  const values = { API_KEY: 'abc', GITHUB_TOKEN: `\${secret:github}`, PASSWORD: '', HOME: '/x' };
  expect(findClearSecrets(values)).toEqual(['API_KEY']);
});

test.each(['pa$$word', 'abc$', 'a${b', '$1$salt$hash'])('%s is no reference', (PASSWORD) => {
  expect(findClearSecrets({ PASSWORD })).toEqual(['PASSWORD']);
});

test.each(['$TOKEN', 'Bearer $TOKEN', `Bearer \${env:TOKEN}`])('%s is a reference', (TOKEN) => {
  expect(findClearSecrets({ TOKEN })).toEqual([]);
});

test('names each secret of servers and assistants once', () => {
  const env = { A: `\${secret:one}`, B: `x \${secret:two} \${secret:one}` };
  const server = { ...exampleServer, localConfig: { command: 'x', env } };
  const key = `\${secret:three}`;
  const assistant = { name: 'Claude', provider: 'anthropic' as const, model: 'm', key };
  const settings = readSettings(undefined, 'settings.json');
  const all = { ...settings, mcpServers: [server], assistants: [assistant] };
  expect(namedSecrets(all)).toEqual(['one', 'two', 'three']);
});
