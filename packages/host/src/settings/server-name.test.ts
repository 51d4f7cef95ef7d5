import { expect, test } from 'vitest';
import { findNameMistake, findStoredNameMistake, suggestServerName } from './server-name.ts';

test.each(['notes', 'a', 'My_Server-2', 'x'.repeat(100)])('accepts %s', (name) => {
  expect(findNameMistake(name)).toBeUndefined();
});

test.each([
  '',
  'a b',
  'a.b',
  'a/b',
  'é',
  'a__b',
  'mcp',
  'MCP-Result',
  'mermaid',
  'dataview',
  'python',
  ...['copilot', 'splunk', 'url', 'Node', 'curl', 'mssql', 'prompt', 'shell-session'],
  'x'.repeat(101),
])('refuses %j', (name) => {
  expect(findNameMistake(name)).toContain('Write for example "');
});

test.each([
  ['notes', 'notes'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(120), 'x'.repeat(100)],
  ['GitHub MCP (work)', 'GitHub-MCP-work'],
  ['café', 'cafe'],
  ['@scope/server.name', 'scope-server-name'],
  ['a___b', 'a_b'],
  ['日本', 'server'],
  ['python', 'python-server'],
  ['splunk', 'splunk-server'],
])('makes %j legal as %s', (wanted, name) => {
  expect(suggestServerName(wanted, [])).toBe(name);
  expect(findNameMistake(name)).toBeUndefined();
});

test('avoids names that are taken, ignoring case', () => {
  expect(suggestServerName('notes', ['NOTES', 'notes-2'])).toBe('notes-3');
  expect(suggestServerName('x'.repeat(100), ['x'.repeat(100)])).toBe(`${'x'.repeat(98)}-2`);
});

test('refuses the name of another server, ignoring case', () => {
  expect(findNameMistake('Notes', ['notes', 'notes-2'])).toBe(
    'Another server has this name. Write for example "Notes-3".',
  );
});

test('a server that already has a name that was reserved later keeps it', () => {
  expect(findStoredNameMistake('splunk')).toBeUndefined();
  expect(findStoredNameMistake('python')).toBeDefined();
});
