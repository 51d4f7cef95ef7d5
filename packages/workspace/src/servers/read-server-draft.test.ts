import { type DockerConfig, newServer, type ServerConfig } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { draftOf, readServerDraft } from './read-server-draft.ts';
import { emptyDraft, type ServerDraft } from './server-draft.ts';

const servers = [localServer('notes')];
const command = { ...emptyDraft, name: 'mine', command: 'npx -y "a b"' };

test('turns a valid draft into a disabled entry', () => {
  const { entry } = readServerDraft(command, { id: '1', servers });
  expect(entry).toMatchObject({
    id: '1',
    name: 'mine',
    enabled: false,
    localConfig: { command: 'npx', args: ['-y', 'a b'] },
  });
});

test.each<[string, Partial<ServerDraft>, keyof ServerDraft]>([
  ['a taken name', { name: 'NOTES' }, 'name'],
  ['a reserved name', { name: 'mermaid' }, 'name'],
  ['a name that was reserved later', { name: 'splunk' }, 'name'],
  ['an impossible name', { name: 'a b' }, 'name'],
  ['no name', { name: ' ' }, 'name'],
  ['no command', { command: ' ' }, 'command'],
  ['an unclosed quote', { command: 'npx "a' }, 'command'],
  ['such a quote in a container', { kind: 'image', image: 'x', inside: 'a "b' }, 'inside'],
  ['a timeout out of range', { timeout: '900' }, 'timeout'],
  ['a value without a name', { env: [{ name: '', value: 'just a value' }] }, 'env'],
  ['an impossible variable', { env: [{ name: 'A=B', value: 'x' }] }, 'env'],
  ['no image', { kind: 'image' }, 'image'],
  ['an impossible name of a container', { kind: 'image', image: 'x', name: 'a b' }, 'name'],
  [
    'a container over HTTP without a port',
    { kind: 'image', image: 'x', imageTransport: 'http' },
    'port',
  ],
  ['a port that is none', { kind: 'image', image: 'x', imageTransport: 'http', port: 'x' }, 'port'],
  ['half a port', { kind: 'image', image: 'x', imageTransport: 'http', port: '1.5' }, 'port'],
  ['a wrong memory', { kind: 'image', image: 'x', memory: 'much' }, 'memory'],
  [
    'a path that is none',
    { kind: 'image', image: 'x', imageTransport: 'http', port: '1', path: 'a' },
    'path',
  ],
  ['a home folder', { cwd: '~/x' }, 'cwd'],
  ['no address', { kind: 'url' }, 'url'],
  ['half an address', { kind: 'url', url: 'ftp://x' }, 'url'],
  [
    'an impossible header',
    { kind: 'url', url: 'https://x.example', headers: [{ name: 'A b', value: 'c' }] },
    'headers',
  ],
])('says at its field what is wrong: %s', (_, change, field) => {
  const { problems = {} } = readServerDraft({ ...command, ...change }, { id: '1', servers });
  expect(Object.keys(problems)).toEqual([field]);
  expect(problems[field]).toMatch(/^[A-Z"].*\.$/);
});

test('says everything that is wrong at once', () => {
  const wrong = { name: 'a b', kind: 'image', image: '', memory: 'much' } as const;
  const { problems = {} } = readServerDraft({ ...command, ...wrong }, { id: '1', servers });
  expect(Object.keys(problems)).toEqual(['name', 'image', 'memory']);
});

test('a name or variable that is there twice is named', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A ', value: '2' },
  ];
  expect(readServerDraft({ ...command, env }, { id: '1', servers }).problems?.env).toContain(
    '"A" is there twice',
  );
});

test('a server may keep its own name, and stays enabled', () => {
  const [before] = servers;
  const read = readServerDraft(
    { ...command, name: 'notes' },
    { id: before?.id ?? '', before, servers },
  );
  expect(read.entry?.enabled).toBe(true);
});

test('fields of another kind are neither checked nor stored', () => {
  const headers = [{ name: '', value: 'w' }];
  const typed = { ...command, port: 'wrong', url: 'y', image: 'z', headers };
  const { entry } = readServerDraft(typed, { id: '1', servers });
  expect(entry?.localConfig?.command).toBe('npx');
  expect(JSON.stringify(entry)).not.toMatch(/wrong|"y"|"z"/);
});

const made = (change: Partial<ServerConfig>) =>
  newServer({ name: 'a', transport: 'stdio', deploymentType: 'local', ...change }, 'a');

test.each<[string, ServerConfig]>([
  [
    'a command',
    made({
      approval: 'deny',
      timeout: 5_000,
      localConfig: { command: 'npx', args: ['x y'], cwd: 'b', env: { KEY: '1' } },
    }),
  ],
  [
    'a command in a sandbox',
    made({
      localConfig: {
        command: 'x',
        args: ['y'],
        sandbox: { kind: 'bwrap', mounts: [{ source: '.' }] },
      },
    }),
  ],
  [
    'an image',
    made({
      deploymentType: 'managed',
      transport: 'http',
      dockerConfig: {
        image: 'x',
        containerName: 'errand-a',
        command: ['run'],
        ports: { 80: 8080 },
        path: '/mcp',
        memory: '1g',
        env: { KEY: '1' },
      },
    }),
  ],
  [
    'an image with what no form shows',
    made({
      deploymentType: 'managed',
      dockerConfig: { image: 'x', containerName: 'c1', cpus: 1, network: 'none', sandboxed: true },
    }),
  ],
  [
    'an address',
    made({
      approval: 'allow',
      deploymentType: 'external',
      transport: 'sse',
      sseConfig: { url: 'https://host.example/', headers: { A: 'b' } },
    }),
  ],
])('the entry of %s is the same after being shown', (_, server) => {
  const read = readServerDraft(draftOf(server), { id: 'a', before: server, servers: [server] });
  expect(read).toEqual({ entry: server });
});

function image(transport: ServerConfig['transport'], ports: DockerConfig['ports']): ServerConfig {
  const dockerConfig = { image: 'x', containerName: 'c1', ...(ports && { ports }) };
  return made({ transport, deploymentType: 'managed', dockerConfig });
}

function portsAfter(before: ServerConfig, typed: Partial<ServerDraft>): DockerConfig['ports'] {
  const context = { id: 'a', before, servers: [before] };
  const read = readServerDraft({ ...draftOf(before), ...typed }, context);
  if (read.problems) throw new Error(JSON.stringify(read.problems));
  return read.entry.dockerConfig?.ports;
}

test('ports that the form of an image does not show stay', () => {
  const two = { 80: 8080, 9000: 9000 };
  expect(portsAfter(image('http', two), { memory: '1g' })).toEqual(two);
  expect(portsAfter(image('http', two), { port: '81' })).toEqual({ 81: 8080, 9000: 9000 });
  expect(portsAfter(image('http', { '80/tcp': 0 }), {})).toEqual({ '80/tcp': 0 });
  expect(portsAfter(image('stdio', { 70: 70 }), { memory: '1g' })).toEqual({ 70: 70 });
});

test('the port of the form is the one that the server is reached at', () => {
  expect(portsAfter(image('http', { 80: 0, 90: 0 }), { port: '99' })).toEqual({ 99: 0 });
  expect(portsAfter(image('http', { 80: 0 }), { imageTransport: 'stdio' })).toBeUndefined();
});
