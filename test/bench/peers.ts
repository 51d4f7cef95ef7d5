import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectHttp, connectSse } from './gateway-client.ts';
import type { ServerCommand, Target } from './gateway-target.ts';
import { installPeers } from './install-peers.ts';

const versions = { 'mcp-hub': '4.2.1', 'mcp-proxy': '6.7.19', supergateway: '4.0.0' };

/** The gateways of others that can be measured here, installed when they are missing. */
export function peers(): readonly Target[] {
  const folder = installPeers('bench-peers', versions);
  const program = (path: string) => join(folder, 'node_modules', path);
  return [
    {
      name: 'mcp-hub',
      takesMany: true,
      start: (servers, port, scratch) => {
        const config = join(scratch, 'mcp-hub.json');
        writeFileSync(config, JSON.stringify({ mcpServers: servers }));
        return [program('mcp-hub/dist/cli.js'), '--port', String(port), '--config', config];
      },
      connect: (port) => connectSse(`http://127.0.0.1:${port}/mcp`),
      toolName: (server, tool) => `${server}__${tool}`,
    },
    {
      name: 'mcp-proxy',
      takesMany: false,
      start: (servers, port) => {
        const { command, args } = only(servers);
        const proxy = program('mcp-proxy/dist/bin/mcp-proxy.mjs');
        return [proxy, '--port', String(port), '--host', '127.0.0.1', '--', command, ...args];
      },
      connect: (port) => connectHttp(`http://127.0.0.1:${port}/mcp`),
      toolName: (_server, tool) => tool,
    },
    {
      name: 'supergateway',
      takesMany: false,
      start: (servers, port) => {
        const { command, args } = only(servers);
        const options = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
        const server = ['--stdio', [command, ...args].join(' '), '--port', String(port)];
        return [program('supergateway/dist/index.js'), ...server, ...options];
      },
      connect: (port) => connectHttp(`http://127.0.0.1:${port}/mcp`),
      toolName: (_server, tool) => tool,
    },
  ];
}

function only(servers: Readonly<Record<string, ServerCommand>>): ServerCommand {
  const [server] = Object.values(servers);
  if (server === undefined) throw new Error('A gateway for one server was given none.');
  return server;
}
