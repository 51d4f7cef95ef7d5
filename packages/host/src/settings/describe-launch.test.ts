import { expect, test } from 'vitest';
import type { ServerConfig } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { describeLaunch } from './describe-launch.ts';

test('shows a command with everything that goes into it', () => {
  const server: ServerConfig = {
    ...exampleServer,
    approval: 'allow',
    localConfig: {
      command: 'npx',
      args: ['-y', '@scope/server', 'two words'],
      env: { NODE_OPTIONS: '--require ./evil.js' },
      cwd: '..',
    },
  };
  expect(describeLaunch(server)).toEqual([
    'runs npx -y @scope/server "two words"',
    'in the folder ..',
    'with the variable NODE_OPTIONS="--require ./evil.js"',
    'lets a model use its tools without asking',
  ]);
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
        { source: '~', target: '/home', writable: true },
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
    'lets it read and write ~ as /home',
    'in the network host',
    'with the variable A=b',
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
  ]);
});

test('spells out characters that disguise what stands there', () => {
  const server = { ...exampleServer, localConfig: { command: 'rm\u001b[2K\u202Etxt', args: [] } };
  expect(describeLaunch(server)).toEqual(['runs "rm\\u001b[2K\\u202etxt"']);
});
