import { expect, test } from 'vitest';
import { writeClientConfig } from './client-config.ts';

test('writes an entry of VS Code with its type', () => {
  const entry = { kind: 'stdio', command: 'errand-vault', args: ['--vault', '/notes'] } as const;
  expect(JSON.parse(writeClientConfig('vscode', 'notes', entry))).toEqual({
    servers: { notes: { type: 'stdio', command: 'errand-vault', args: ['--vault', '/notes'] } },
  });
});

test('writes an entry of Codex as a table, with the token in a table below', () => {
  const entry = { kind: 'http', url: 'http://127.0.0.1:1/mcp', token: 'T' } as const;
  expect(writeClientConfig('codex', 'notes', entry)).toBe(
    '[mcp_servers.notes]\nurl = "http://127.0.0.1:1/mcp"\n\n[mcp_servers.notes.http_headers]\nAuthorization = "Bearer T"\n',
  );
});
