import { isIP } from 'node:net';
import type { CommandLine } from '../command-line.ts';
import type { LiveServer, ServedTransport } from '../live-server.ts';
import { StartError } from '../start-error.ts';
import type { AccessPolicy } from './check-access.ts';
import { listen } from './listen.ts';

const shortestToken = 16;
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Serves every port that was asked for; transports that name the same port share it. */
export async function listenAll(
  live: LiveServer,
  ports: CommandLine['ports'],
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ServedTransport[]> {
  const policy = readPolicy(host, env);
  const shared = Map.groupBy(ports, ({ type, port }) => (port === 0 ? type : port));
  const opened: ServedTransport[] = [];
  try {
    for (const group of shared.values()) {
      const [first] = group;
      const types = group.map(({ type }) => type);
      opened.push(...(await listen(live, { host, port: first?.port ?? 0, types, policy })));
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map((transport) => transport.close()));
    throw error;
  }
}

function readPolicy(host: string, env: Readonly<Record<string, string | undefined>>): AccessPolicy {
  const token = env.MCP_AUTH_TOKEN?.trim() || undefined;
  if (token !== undefined && token.length < shortestToken) {
    const message = `MCP_AUTH_TOKEN is too short. Use at least ${shortestToken} characters.`;
    throw new StartError('invalid_setting', message);
  }
  if (token === undefined && !isLoopback(host)) {
    const message = `Listening on ${host} lets other machines in. Set MCP_AUTH_TOKEN to a secret that clients send as a bearer token, or leave --host at 127.0.0.1.`;
    throw new StartError('token_required', message);
  }
  const allowed = (env.MCP_ALLOWED_HOSTS ?? '').split(',').map((name) => name.trim().toLowerCase());
  const own = isIP(host) === 6 ? `[${host}]` : host;
  return { token, hostnames: [...loopback, own, ...allowed.filter((name) => name !== '')] };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
