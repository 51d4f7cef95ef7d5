import { beforeEach, expect, test } from 'vitest';
import { exampleServer } from '../../testing/example-server.ts';
import { createServerDiscovery } from './server-discovery.ts';

const texts = new Map<string, string>();
let reads = 0;
let time = 0;

beforeEach(() => {
  texts.clear();
  reads = 0;
  time = 1_000;
});

const discovery = () =>
  createServerDiscovery({
    files: [
      { program: 'cursor', path: '/home/me/.cursor/mcp.json' },
      { program: 'vscode', path: '/vault/.vscode/mcp.json', projectFolder: '/vault' },
      { program: 'codex', path: '/home/me/.codex/config.toml' },
    ],
    reader: {
      async read(path) {
        reads += 1;
        return texts.get(path);
      },
      stamp: async (path) => texts.get(path) ?? 'missing',
    },
    target: { os: 'linux', vaultFolder: '/vault' },
    now: () => time,
  });

const cursor = (servers: object) =>
  texts.set('/home/me/.cursor/mcp.json', JSON.stringify({ mcpServers: servers }));

test('lists the servers of other programs with their origin', async () => {
  cursor({ time: { command: 'uvx', args: ['time'] } });
  expect(await discovery().list([])).toEqual({
    servers: [
      {
        server: {
          id: 'cursor:/home/me/.cursor/mcp.json#time',
          name: 'time',
          transport: 'stdio',
          deploymentType: 'local',
          localConfig: { command: 'uvx', args: ['time'] },
          enabled: true,
          failureCount: 0,
          autoDisabled: false,
          sectionBindings: [],
        },
        origins: [{ program: 'cursor', file: '/home/me/.cursor/mcp.json', name: 'time' }],
        notes: [],
        advice: [],
      },
    ],
    problems: [],
    lastUpdated: 1_000,
    ttl: 300_000,
  });
});

test('shows the same command of two programs once, with both origins', async () => {
  cursor({ time: { command: 'uvx', args: ['time'] } });
  texts.set('/home/me/.codex/config.toml', '[mcp_servers.clock]\ncommand="uvx"\nargs=["time"]');
  const { servers } = await discovery().list([]);
  expect(servers.map(({ origins }) => origins.map(({ program }) => program))).toEqual([
    ['cursor', 'codex'],
  ]);
});

test('leaves out what we have already and keeps names free beside ours', async () => {
  cursor({ same: { command: 'errand-vault', args: ['--vault', '.'] }, notes: { command: 'x' } });
  const { servers } = await discovery().list([exampleServer]);
  expect(servers.map(({ server }) => server.name)).toEqual(['notes-2']);
});

test('reads the files once in five minutes', async () => {
  const subject = discovery();
  await subject.list([]);
  time += 299_999;
  await subject.list([]);
  expect(reads).toBe(3);
  time += 1;
  expect((await subject.list([])).lastUpdated).toBe(301_000);
  expect(reads).toBe(6);
});

test('reads again when a file changes', async () => {
  const subject = discovery();
  expect((await subject.list([])).servers).toEqual([]);
  cursor({ time: { command: 'uvx' } });
  expect((await subject.list([])).servers).toHaveLength(1);
});

test('reads again when asked to', async () => {
  const subject = discovery();
  await subject.list([]);
  subject.refresh();
  await subject.list([]);
  expect(reads).toBe(6);
});

test('reports a broken file and shows the servers of the others', async () => {
  texts.set('/vault/.vscode/mcp.json', '{ "servers": ');
  cursor({ time: { command: 'uvx' } });
  const { servers, problems } = await discovery().list([]);
  expect(servers).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining('/vault/.vscode/mcp.json, line 1, column 14')]);
});
