import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { HostError } from '@errand/host';
import { readDockerConfig } from './docker-config.ts';

/** Where a Docker engine, or Podman's service that speaks like one, is reached. */
export interface EngineAddress {
  /** As `DOCKER_HOST` has it, for messages. */
  readonly name: string;
  /** A unix socket or a Windows pipe. */
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tls?: EngineTls;
}

interface EngineTls extends SecureContextOptions {
  readonly rejectUnauthorized: boolean;
}

/** Finds the engine that the `docker` command would use, or Podman's socket where there is none. */
export function findEngine(env: NodeJS.ProcessEnv): EngineAddress {
  if (env.DOCKER_HOST) return parseHost(env.DOCKER_HOST, () => tlsFromEnvironment(env));
  const context = env.DOCKER_CONTEXT || readDockerConfig(env).currentContext || 'default';
  if (context !== 'default') return readContext(context, env);
  if (process.platform === 'win32') return parseHost('npipe:////./pipe/docker_engine');
  const found = usualSockets(env).find((path) => existsSync(path));
  return parseHost(`unix://${found ?? '/var/run/docker.sock'}`);
}

/** Whether ports that the engine publishes on its loopback are on ours. */
export function isOnThisMachine({ socketPath, host }: EngineAddress): boolean {
  return socketPath !== undefined || ['127.0.0.1', 'localhost', '::1'].includes(host ?? '');
}

/** Docker's own places first, as its command does; then those of Docker Desktop, rootless Docker and Podman. */
function usualSockets(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? homedir();
  const runtime = env.XDG_RUNTIME_DIR;
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [join(runtime, 'docker.sock')]),
    join(home, '.docker', 'run', 'docker.sock'),
    join(home, '.docker', 'desktop', 'docker.sock'),
    ...(runtime === undefined ? [] : [join(runtime, 'podman', 'podman.sock')]),
    '/run/podman/podman.sock',
  ];
}

function parseHost(name: string, tls?: () => EngineTls | undefined): EngineAddress {
  const [, scheme, rest = ''] = /^(\w+):\/\/(.*)$/.exec(name) ?? [];
  if (scheme === 'unix') return { name, socketPath: rest };
  if (scheme === 'npipe') return { name, socketPath: rest.replaceAll('/', '\\') };
  const url = `http://${rest}`;
  if ((scheme !== 'tcp' && scheme !== 'http' && scheme !== 'https') || !URL.canParse(url)) {
    throw new HostError(
      'docker_unavailable',
      scheme === 'ssh'
        ? `The Docker engine at ${name} is reached over SSH, which Errand does not do. Forward its socket (ssh -L /tmp/docker.sock:/var/run/docker.sock HOST) and set DOCKER_HOST=unix:///tmp/docker.sock.`
        : `"${name}" is not the address of a Docker engine. Write DOCKER_HOST as unix:///path/to/docker.sock or tcp://host:2375.`,
    );
  }
  const { hostname, port } = new URL(url);
  const secured = tls?.() ?? (scheme === 'https' ? { rejectUnauthorized: true } : undefined);
  return {
    name,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secured ? 2376 : 2375) : Number(port),
    ...(secured && { tls: secured }),
  };
}

function tlsFromEnvironment(env: NodeJS.ProcessEnv): EngineTls | undefined {
  if (!env.DOCKER_TLS_VERIFY) return undefined;
  const folder = env.DOCKER_CERT_PATH ?? join(env.HOME ?? homedir(), '.docker');
  return { rejectUnauthorized: true, ...readCertificates(folder) };
}

interface StoredContext {
  readonly Endpoints?: {
    readonly docker?: { readonly Host?: string; readonly SkipTLSVerify?: boolean };
  };
}

/** Contexts are stored in folders named by the hash of the context's name. */
function readContext(context: string, env: NodeJS.ProcessEnv): EngineAddress {
  const { folder } = readDockerConfig(env);
  const id = createHash('sha256').update(context).digest('hex');
  let stored: StoredContext;
  try {
    stored = JSON.parse(readFileSync(join(folder, 'contexts', 'meta', id, 'meta.json'), 'utf8'));
  } catch (error) {
    throw unknownContext(context, error);
  }
  const endpoint = stored.Endpoints?.docker;
  if (!endpoint?.Host) throw unknownContext(context);
  const certificates = readCertificates(join(folder, 'contexts', 'tls', id, 'docker'));
  return parseHost(endpoint.Host, () =>
    'ca' in certificates || 'cert' in certificates
      ? { rejectUnauthorized: endpoint.SkipTLSVerify !== true, ...certificates }
      : undefined,
  );
}

function unknownContext(context: string, cause?: unknown): HostError {
  return new HostError(
    'docker_unavailable',
    `Docker's context "${context}" cannot be read. Choose another with: docker context use default`,
    {},
    { cause },
  );
}

function readCertificates(folder: string): SecureContextOptions {
  const read = (name: string, file: string) => {
    const path = join(folder, file);
    return existsSync(path) ? { [name]: readFileSync(path) } : {};
  };
  return { ...read('ca', 'ca.pem'), ...read('cert', 'cert.pem'), ...read('key', 'key.pem') };
}
