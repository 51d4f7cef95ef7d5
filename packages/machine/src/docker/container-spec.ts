import { resolve } from 'node:path';
import type { DockerConfig, ServerConfig } from '@errand/host';

/** The body of the engine's `POST /containers/create`, as far as we use it. */
export interface ContainerSpec {
  readonly Image: string;
  readonly Cmd?: readonly string[];
  readonly User?: string;
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly OpenStdin: boolean;
  readonly StdinOnce: boolean;
  readonly Tty: false;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly HostConfig: HostConfig;
}

interface HostConfig {
  readonly Init: true;
  readonly LogConfig: { readonly Type: 'none' };
  readonly PortBindings: Readonly<Record<string, readonly object[]>>;
  readonly Mounts: readonly object[];
  readonly Memory?: number;
  readonly MemorySwap?: number;
  readonly NanoCpus?: number;
  readonly NetworkMode?: string;
  readonly ReadonlyRootfs?: true;
  readonly Tmpfs?: Readonly<Record<string, string>>;
  readonly CapDrop?: readonly string[];
  readonly SecurityOpt?: readonly string[];
  readonly PidsLimit?: number;
}

/** Describes the container of a managed server to the engine. */
export function containerSpec(
  { transport }: Pick<ServerConfig, 'transport'>,
  config: DockerConfig,
  { vaultFolder, labels }: { vaultFolder: string; labels: Readonly<Record<string, string>> },
): ContainerSpec {
  const { image, command, env = {}, memory, cpus, network, sandboxed } = config;
  const ports = Object.entries(config.ports ?? {}).map(([inside, outside]) => ({
    inside: inside.includes('/') ? inside : `${inside}/tcp`,
    outside,
  }));
  const isStdio = transport === 'stdio';
  return {
    Image: image,
    ...(command && { Cmd: command }),
    ...(sandboxed && { User: ordinaryUser() }),
    // That user has no home, and the image's own folders cannot be written.
    Env: Object.entries(sandboxed ? { HOME: '/tmp', ...env } : env).map(
      ([name, value]) => `${name}=${value}`,
    ),
    Labels: labels,
    OpenStdin: isStdio,
    // The end of our connection is the end of its input: a server that honours it goes when we are killed.
    StdinOnce: isStdio,
    Tty: false,
    ExposedPorts: Object.fromEntries(ports.map(({ inside }) => [inside, {}])),
    HostConfig: {
      Init: true,
      // We read what it writes; the engine must not fill the disk with it as well.
      LogConfig: { Type: 'none' },
      PortBindings: Object.fromEntries(
        ports.map(({ inside, outside }) => [
          inside,
          [{ HostIp: '127.0.0.1', HostPort: String(outside) }],
        ]),
      ),
      Mounts: (config.mounts ?? []).map(({ source, target, writable = false }) => ({
        Type: 'bind',
        Source: resolve(vaultFolder, source),
        Target: target,
        ReadOnly: !writable,
      })),
      // The same limit with swap means no swap.
      ...(memory && { Memory: bytesOf(memory), MemorySwap: bytesOf(memory) }),
      ...(cpus !== undefined && { NanoCpus: Math.round(cpus * 1e9) }),
      ...(network && { NetworkMode: network }),
      ...(sandboxed && sandbox),
    },
  };
}

/** What it starts may be a program that it has just downloaded, so /tmp may hold programs. */
const sandbox: Partial<HostConfig> = {
  ReadonlyRootfs: true,
  Tmpfs: { '/tmp': 'rw,exec,nosuid,nodev,size=256m,mode=1777' },
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges'],
  PidsLimit: 256,
};

/** Who runs Errand, so that folders it may write belong to the same person; nobody in place of root. */
function ordinaryUser(): string {
  const { getuid, getgid } = process;
  const user = getuid?.() ?? 0;
  return user === 0 || getgid === undefined ? '65534:65534' : `${user}:${getgid()}`;
}

const units: Readonly<Record<string, number>> = { b: 0, k: 1, m: 2, g: 3 };

/** Reads `256m` as Docker does: the letters are powers of 1024. */
function bytesOf(memory: string): number {
  const [, number = '0', unit = 'b'] = /^([\d.]+)([bkmg]?)$/i.exec(memory) ?? [];
  return Math.round(Number(number) * 1024 ** (units[unit.toLowerCase()] ?? 0));
}
