import type { Advice } from '../../advice.ts';
import type { ServerConfig } from '../../settings.ts';
import { launchFingerprint } from '../launch-fingerprint.ts';
import { suggestServerName } from '../server-name.ts';
import type { ForeignFile } from './foreign-config-files.ts';
import type {
  ForeignConfig,
  ForeignOrigin,
  ForeignServer,
  ForeignTarget,
} from './foreign-server.ts';
import { readForeignConfig } from './read-foreign-config.ts';

/** Reads the files of other programs. */
export interface ForeignFileReader {
  /** The text of a file; nothing when there is none. */
  read(path: string): Promise<string | undefined>;
  /** Text that changes whenever the file does. */
  stamp(path: string): Promise<string>;
}

/** A server that other programs know, shown beside ours and never written by us. */
export interface DiscoveredServer {
  readonly server: ServerConfig;
  /** Every place that lists it, first the one its entry was taken from. */
  readonly origins: readonly ForeignOrigin[];
  readonly notes: readonly string[];
  readonly advice: readonly Advice[];
}

/** What was found, and when; S1's `MCPDiscoveryCache`. */
interface DiscoveredServers {
  readonly servers: readonly DiscoveredServer[];
  /** Files and entries that could not be read, each with the reason. */
  readonly problems: readonly string[];
  readonly lastUpdated: number;
  /** Milliseconds for which it is not read again unless a file changes. */
  readonly ttl: number;
}

interface DiscoveryPorts {
  readonly files: readonly ForeignFile[];
  readonly reader: ForeignFileReader;
  readonly target: Pick<ForeignTarget, 'os' | 'vaultFolder'>;
  readonly now: () => number;
}

/** Reads other programs' files and caches the result for five minutes (D3). */
export interface ServerDiscovery {
  /** The servers that are not among ours, under names that are free. */
  list(ours: readonly ServerConfig[]): Promise<DiscoveredServers>;
  /** Clears the cache. */
  refresh(): void;
}

const ttl = 300_000;

/** Shows the servers of other programs; their files are read when somebody asks, and never written. */
export function createServerDiscovery(ports: DiscoveryPorts): ServerDiscovery {
  let found: Found | undefined;
  return {
    async list(ours) {
      if (found === undefined || !(await isFresh(found, ports))) found = await look(ports);
      const { servers, problems, lastUpdated } = found;
      return { servers: beside(ours, servers), problems, lastUpdated, ttl };
    },
    refresh() {
      found = undefined;
    },
  };
}

interface Found {
  readonly servers: readonly DiscoveredServer[];
  readonly problems: readonly string[];
  readonly lastUpdated: number;
  /** The state of all files when they were read. */
  readonly stamp: string;
}

async function isFresh(found: Found, ports: DiscoveryPorts): Promise<boolean> {
  return ports.now() - found.lastUpdated < ttl && found.stamp === (await stampOf(ports));
}

async function stampOf({ files, reader }: DiscoveryPorts): Promise<string> {
  return (await Promise.all(files.map(({ path }) => reader.stamp(path)))).join('\n');
}

async function look(ports: DiscoveryPorts): Promise<Found> {
  const lastUpdated = ports.now();
  // Taken before reading, so that a change in between is found the next time.
  const stamp = await stampOf(ports);
  const configs = await Promise.all(ports.files.map((file) => readFile(file, ports)));
  return {
    servers: merged(configs.flatMap(({ servers }) => servers)),
    problems: configs.flatMap(({ problems }) => problems),
    lastUpdated,
    stamp,
  };
}

async function readFile(
  { path, program, projectFolder }: ForeignFile,
  { reader, target }: DiscoveryPorts,
): Promise<ForeignConfig> {
  try {
    const text = await reader.read(path);
    if (text === undefined) return { servers: [], problems: [] };
    const source = { file: path, program, ...(projectFolder !== undefined && { projectFolder }) };
    return readForeignConfig(text, source, target);
  } catch (error) {
    // Another program's broken file must not hide the servers of the others.
    return { servers: [], problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** The same command or address in several files is one server. */
function merged(found: readonly ForeignServer[]): readonly DiscoveredServer[] {
  const byLaunch = new Map<string, DiscoveredServer>();
  for (const { server, origin, notes, advice } of found) {
    const launch = launchFingerprint(server);
    const known = byLaunch.get(launch) ?? { server, origins: [], notes, advice };
    byLaunch.set(launch, { ...known, origins: [...known.origins, origin] });
  }
  return [...byLaunch.values()];
}

function beside(
  ours: readonly ServerConfig[],
  found: readonly DiscoveredServer[],
): readonly DiscoveredServer[] {
  const launches = new Set(ours.map(launchFingerprint));
  const names = new Set(ours.map(({ name }) => name));
  return found.flatMap((one) => {
    if (launches.has(launchFingerprint(one.server))) return [];
    const name = suggestServerName(one.server.name, names);
    names.add(name);
    return [{ ...one, server: { ...one.server, name } }];
  });
}
