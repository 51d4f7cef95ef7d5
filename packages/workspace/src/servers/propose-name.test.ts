import { expect, test } from 'vitest';
import { proposeName } from './propose-name.ts';
import { emptyDraft } from './server-draft.ts';

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem@1.2 .', 'filesystem'],
  ['uvx mcp-server-git --repository x', 'git'],
  ['node "C:\\My Tools\\weather.mjs"', 'weather'],
  ['/usr/bin/python3 -m my_server', 'my'],
  ['npx', 'npx'],
  ['"', ''],
  ['', ''],
])('proposes a name for the command %j', (command, name) => {
  expect(proposeName({ ...emptyDraft, command }, [])).toBe(name);
});

test.each([
  ['mcp/weather:1.2', 'weather'],
  ['mcp/docker', 'docker-server'],
  ['registry.example:5000/team/mcp-mail@sha256:00', 'mail'],
])('proposes a name for the image %j', (image, name) => {
  expect(proposeName({ ...emptyDraft, kind: 'image', image }, [])).toBe(name);
});

test.each([
  ['https://mcp.linear.app/mcp', 'linear'],
  ['https://host.example/mcp', 'host'],
  ['http://127.0.0.1:4000/mcp', 'local-4000'],
  ['https://', ''],
])('proposes a name for the address %j', (url, name) => {
  expect(proposeName({ ...emptyDraft, kind: 'url', url }, [])).toBe(name);
});

test('a name that is taken gets a number', () => {
  const draft = { ...emptyDraft, command: 'git' };
  expect(proposeName(draft, ['Git', 'git-2'])).toBe('git-3');
});
