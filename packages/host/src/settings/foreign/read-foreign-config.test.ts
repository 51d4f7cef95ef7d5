import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foreignPrograms, isForeignProgram } from './foreign-programs.ts';
import type { ForeignSource, ForeignTarget } from './foreign-server.ts';
import { readForeignConfig } from './read-foreign-config.ts';

const here = { os: 'linux', vaultFolder: '/home/me/notes' };
const env = (name: string) => `\${env:${name}}`;

/** What an entry becomes here, by the name it has there. */
function byName(text: string, source: ForeignSource, target: ForeignTarget = here) {
  const { servers, problems } = readForeignConfig(text, source, target);
  return {
    servers: Object.fromEntries(servers.map(({ origin, server }) => [origin.name, server])),
    problems,
  };
}

test.each([
  ['vscode/mcp.json', 'vscode'],
  ['claude-code/claude.json', 'claude-code'],
  ['windsurf/mcp_config.json', 'windsurf'],
  ['codex/config.toml', 'codex'],
  ['gemini/settings.json', 'gemini'],
  ['zed/settings.json', 'zed'],
  ['cursor/mcp.json', 'pasted'],
  ['pasted/readme-fragment.txt', 'pasted'],
  ['pasted/one-entry.json', 'pasted'],
  ['errand/settings.json', 'errand'],
])('recognises %s without being told whose it is', (path, program) => {
  const url = new URL(`../../../fixtures/foreign/${path}`, import.meta.url);
  const { servers } = readForeignConfig(readFileSync(url, 'utf8'), { file: path }, here);
  expect(servers.length).toBeGreaterThan(0);
  expect(new Set(servers.map(({ origin }) => origin.program))).toEqual(new Set([program]));
});

test('understands both kinds of variables in pasted text', () => {
  const text = `{ "mcpServers": { "a": { "command": "x", "args": ["\${A}", "\${env:B}", "$C"] } } }`;
  const { servers } = byName(text, { file: 'pasted' });
  expect(servers.a?.localConfig?.args).toEqual([env('A'), env('B'), '$C']);
});

test('never answers another program\u2019s question with a secret that is set already', () => {
  const text = `{ "servers": { "lab": { "command": "x", "args": ["\${input:token}"] } } }`;
  const { servers } = byName(text, { file: 'f' }, { ...here, takenSecrets: ['token'] });
  expect(servers.lab?.localConfig?.args).toEqual([`\${secret:lab-token}`]);
});

test('gives names that are free, ignoring case', () => {
  const text = '{ "mcpServers": { "a b": { "command": "x" }, "A.B": { "command": "y" } } }';
  const { servers } = byName(text, { file: 'f' }, { ...here, takenNames: ['a-b'] });
  expect(Object.values(servers).map(({ name }) => name)).toEqual(['a-b-2', 'A-B-3']);
});

test('uses the variables of Windows there', () => {
  const text = `{ "servers": { "a": { "command": "\${userHome}\${/}a.exe" } } }`;
  const { servers } = byName(text, { file: 'f' }, { os: 'win32', vaultFolder: 'C:\\notes' });
  expect(servers.a?.localConfig?.command).toBe(`${env('USERPROFILE')}\\a.exe`);
});

test('leaves out what cannot be used and reads the rest', () => {
  const text = `{ "mcpServers": {
    "empty": {}, "text": "npx", "ws": { "url": "https://x", "type": "ws" },
    "args": { "command": "x", "args": "--y" }, "header": { "url": "https://x", "headers": { "a b": "c" } },
    "good": { "command": "x" } } }`;
  const { servers, problems } = byName(text, { file: 'f' });
  expect(Object.keys(servers)).toEqual(['good']);
  expect(problems).toHaveLength(5);
  expect(problems[0]).toBe('f: "empty" is left out. It has neither a command nor an address.');
});

test.each([here.vaultFolder, '/home/me/project'])(
  'leaves out a server of %s that runs in a folder with "~"',
  (projectFolder) => {
    const text = '{ "mcpServers": { "a": { "command": "x", "cwd": "~/tools" } } }';
    expect(byName(text, { file: 'f', projectFolder })).toEqual({
      servers: {},
      problems: ['f: "a" is left out. localConfig.cwd: Write the full path: "~" is not expanded.'],
    });
  },
);

test('accepts a file that lists no servers only from a known program', () => {
  expect(byName('{ "theme": "dark" }', { file: 'f', program: 'gemini' }).problems).toEqual([]);
  expect(() => byName('{ "theme": "dark" }', { file: 'f' })).toThrow(/has no MCP servers/);
  expect(() => byName('"text"', { file: 'f' })).toThrow(/has no MCP servers/);
});

test.each([
  ['{ "servers": { "a": ', 1, 21],
  ['# comment\n[mcp_servers.a\ncommand = "x"', 2, 15],
])('says where %j is broken', (text, line, column) => {
  expect(() => byName(text, { file: 'f' })).toThrow(
    expect.objectContaining({ code: 'settings_invalid', facts: { line, column } }),
  );
});

test('refuses brackets without end instead of running out of stack', () => {
  expect(() => byName('['.repeat(200_000), { file: 'f' })).toThrow(/nested too deeply/);
});

test('knows the names that people type', () => {
  const names = Object.keys(foreignPrograms).filter(isForeignProgram);
  expect(names).toContain('vscode');
  expect(names).not.toContain('pasted');
  expect(isForeignProgram('constructor')).toBe(false);
});

test('keeps line breaks of foreign names and questions out of messages', () => {
  const text = JSON.stringify({
    servers: {
      'bad\nx\r': {},
      header: { url: 'https://x', headers: { 'a\nb': 'c' } },
      asks: { command: 'x', args: [`\${input:a\nb}`, `\${other:a\nb}`] },
    },
  });
  const { servers, problems } = readForeignConfig(text, { file: 'f' }, here);
  expect(problems).toEqual([
    'f: "bad\\nx\\r" is left out. It has neither a command nor an address.',
    expect.stringMatching(/^f: "header" is left out\. .*"a\\nb": Write a header name/),
  ]);
  const notes = servers.flatMap((server) => server.notes);
  expect(notes.join('')).toContain('a\\nb');
  expect(notes.join('')).not.toMatch(/[\n\r]/);
});
