import { expect, test } from 'vitest';
import type { SandboxConfig, ServerConfig } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { describeLaunch, summariseLaunch } from './describe-launch.ts';

test('shows a command with everything that goes into it', () => {
  const server: ServerConfig = {
    ...exampleServer,
    approval: 'allow',
    localConfig: {
      command: 'npx',
      args: ['-y', '@scope/server', 'two words'],
      env: { NODE_OPTIONS: '--require ./evil.js', CRM_TOKEN: 'abc123def456' },
      cwd: '.',
    },
  };
  const files = [
    { path: '.', identity: 'folder' },
    { path: 'evil.js', identity: 'c0ffee'.repeat(10) },
  ];
  expect(describeLaunch(server, files)).toEqual([
    'runs npx -y @scope/server "two words"',
    'in the folder ., the vault itself',
    'not sandboxed: runs with your rights',
    'with the variable NODE_OPTIONS="--require ./evil.js"',
    'with the variable CRM_TOKEN=[hidden]',
    'with evil.js of this vault as it is now (SHA-256 c0ffeec0ffeec0ff)',
    'lets a model use its tools without asking',
    'your approval does not cover: what npx downloads, which may be another program next time',
    'your approval does not cover: what lies in this vault',
    'your approval does not cover: other files that these files of the vault load',
  ]);
});

test('says in which folder a server runs whose entry names none', () => {
  const at = (...args: string[]) =>
    describeLaunch({ ...exampleServer, localConfig: { command: 'x', args } })[1];
  expect(at('notes')).toBe('in an empty folder outside the vault');
  expect(at('.', '--root=./a')).toBe(
    'in an empty folder outside the vault; "." in its arguments means the vault',
  );
});

test.each([
  [{ kind: 'bwrap' }, 'sandboxed by bwrap: no network, none of your files'],
  [{ kind: 'bwrap', mounts: [{ source: '.' }] }, 'sandboxed by bwrap: no network, vault read-only'],
  [
    {
      kind: 'bwrap',
      network: true,
      mounts: [{ source: './', writable: true }, { source: '/my data' }],
    },
    'sandboxed by bwrap: with network, vault writable, "/my data" read-only',
  ],
] satisfies [SandboxConfig, string][])(
  'says what a sandbox leaves in reach: %j',
  (sandbox, line) => {
    const server = { ...exampleServer, localConfig: { command: 'x', sandbox } };
    expect(describeLaunch(server)).toContain(line);
    expect(describeLaunch(server).join()).not.toContain('not sandboxed');
  },
);

test('says that a container is sandboxed and without network', () => {
  const dockerConfig = { image: 'i', containerName: 'c', network: 'none', sandboxed: true };
  expect(describeLaunch({ ...exampleServer, deploymentType: 'managed', dockerConfig })).toEqual(
    expect.arrayContaining([
      'without network',
      'sandboxed by docker: read-only system, no privileges, not as root',
    ]),
  );
});

test.each([
  ['link to /usr/bin/python3', 'with venv/python of this vault, a link to /usr/bin/python3'],
  ['folder', 'your approval does not cover: what lies in the folder venv/python of this vault'],
  [
    'unchecked',
    'your approval does not cover: what is in venv/python of this vault (a database or log, too large, or not readable)',
  ],
  [
    'missing',
    'your approval does not cover: what venv/python of this vault stands for, where nothing lies now',
  ],
])('says what a file of the vault is: %s', (identity, line) => {
  expect(describeLaunch(exampleServer, [{ path: 'venv/python', identity }])).toContain(line);
});

test('shows what a container may touch', () => {
  const server: ServerConfig = {
    ...exampleServer,
    deploymentType: 'managed',
    transport: 'http',
    dockerConfig: {
      image: 'mcp/x:1',
      containerName: 'errand-x',
      command: ['serve'],
      ports: { '9': 0, '8080': 18080 },
      mounts: [
        { source: '.', target: '/data' },
        { source: '/home/me', target: '/home', writable: true },
      ],
      network: 'host',
      env: { A: 'b' },
    },
  };
  expect(describeLaunch(server)).toEqual([
    'starts a container from the image mcp/x:1',
    'with the command serve',
    'publishes its port 9 on 127.0.0.1:any',
    'publishes its port 8080 on 127.0.0.1:18080',
    'lets it read . as /data',
    'lets it read and write /home/me as /home',
    'in the network host',
    'with the variable A=b',
    'your approval does not cover: which image that name stands for next time; a digest (@sha256:…) fixes it',
  ]);
});

test('shows where a remote server is and what is sent to it', () => {
  const server: ServerConfig = {
    ...exampleServer,
    deploymentType: 'external',
    transport: 'sse',
    sseConfig: { url: 'https://x.example/sse', headers: { Authorization: `Bearer \${secret:x}` } },
    httpConfig: { url: 'https://unused.example' },
  };
  expect(describeLaunch(server)).toEqual([
    'connects to https://x.example/sse',
    `sends the header Authorization: Bearer \${secret:x}`,
    'is given your secret "x"',
    'your approval does not cover: what this server does with what it is sent',
  ]);
});

test.each([
  ['https://x.example/mcp?api_key=abcdefgh&v=2#a', 'https://x.example/mcp?api_key=[hidden]&v=2#a'],
  ['https://x.example/mcp?v=2&key=abcdefgh', 'https://x.example/mcp?v=2&key=[hidden]'],
  ['https://x.example/mcp?city=abcdefgh', 'https://x.example/mcp?city=abcdefgh'],
])('hides what looks like a secret in the address %s', (url, shown) => {
  const server = { ...exampleServer, deploymentType: 'external', transport: 'http' } as const;
  const [line] = describeLaunch({ ...server, httpConfig: { url } });
  expect(line?.replaceAll('"', '')).toBe(`connects to ${shown}`);
});

test('spells out characters that disguise what stands there', () => {
  const server = { ...exampleServer, localConfig: { command: 'rm\u001b[2K\u202Etxt', args: [] } };
  expect(describeLaunch(server)).toContain('runs "rm\\u001b[2K\\u202etxt"');
});

const reference = '$' + '{secret:k}';

test.each([
  [['npx', '-y', '@scope/server', 'two words'], 'run npx -y @scope/server "two words"'],
  [['x', '--api-key', 'abcdefgh', 'y'], 'run x --api-key [hidden] y'],
  [['x', '--token=abcdefgh', '-v'], 'run x --token=[hidden] -v'],
  [['sh', '-c', 'API_KEY=abcdefgh'], 'run sh -c API_KEY=[hidden]'],
  [['x', '--token', reference], `run x --token ${reference}`],
  [['x', 'a\nb\u001b[2J'], String.raw`run x "a\nb\u001b[2J"`],
])('names the whole command of %j, without secrets', ([command = '', ...args], sentence) => {
  expect(summariseLaunch({ ...exampleServer, localConfig: { command, args } })).toBe(sentence);
});

test('names the image with its command, and an address without what may be secret', () => {
  const dockerConfig = { image: 'mcp/weather:1', containerName: 'w', command: ['serve', '--all'] };
  const managed: ServerConfig = { ...exampleServer, deploymentType: 'managed', dockerConfig };
  expect(summariseLaunch(managed)).toBe(
    'start the image mcp/weather:1 with the command serve --all',
  );
  const httpConfig = { url: 'https://me:pw@a.example/mcp?key=1' };
  const external = { ...exampleServer, deploymentType: 'external', transport: 'http' } as const;
  expect(summariseLaunch({ ...external, httpConfig })).toBe('connect to https://a.example');
});
