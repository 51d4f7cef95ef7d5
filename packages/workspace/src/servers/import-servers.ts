import {
  type DiscoveredServer,
  type ForeignOrigin,
  type ForeignSource,
  foreignPrograms,
  type Host,
  launchFingerprint,
  newServer,
  readForeignConfig,
  type SecretStore,
  type ServerConfig,
  type ServerDiscovery,
  suggestServerName,
  type TakenSecret,
  type Trust,
  takeSecrets,
  withSecretValues,
} from '@errand/host';
import { type AddOptions, addServers } from './add-servers.ts';
import type { ChangeServerPorts } from './change-server.ts';

interface ReadImportPorts {
  /** The folder of the vault. */
  readonly folder: string;
  readonly host: Pick<Host, 'servers'>;
  readonly secrets: Pick<SecretStore, 'names' | 'get'>;
  readonly trust: Pick<Trust, 'show'>;
}

/** A server of another program that can be imported. */
export interface ImportableServer {
  /** As it would be stored: disabled. Its secrets are in plain text, so it must not be shown. */
  readonly entry: ServerConfig;
  /** It is enabled in the other program, so it is tested and enabled here. */
  readonly isEnabledThere: boolean;
  /** Every place that lists it, first the one its entry was taken from. */
  readonly origins: readonly ForeignOrigin[];
  /** What it would start, without secret values. */
  readonly does: readonly string[];
  /** What was changed by the import. */
  readonly notes: readonly string[];
  /** What to do before it works. */
  readonly advice: DiscoveredServer['advice'];
  /** Variables and headers whose values look like secrets. */
  readonly secretFields: readonly string[];
  /** The name of a stored server that starts the same. */
  readonly sameAs?: string;
}

export interface ImportableServers {
  readonly servers: readonly ImportableServer[];
  /** Files and entries that cannot be used here, each with the reason. */
  readonly problems: readonly string[];
}

/** Text of another program's configuration; without a file it was pasted. */
interface ImportSource extends Partial<ForeignSource> {
  /** The system of this machine, as Node names it. */
  readonly os: string;
}

/** Reads the servers in another program's configuration; throws `settings_invalid` when it cannot be read. */
export async function readImportable(
  text: string,
  { os, file = 'The pasted text', ...source }: ImportSource,
  ports: ReadImportPorts,
): Promise<ImportableServers> {
  const { servers, problems } = readForeignConfig(
    text,
    { file, ...source },
    {
      os,
      vaultFolder: ports.folder,
      takenNames: ports.host.servers.list().map(({ name }) => name),
      takenSecrets: await ports.secrets.names(),
    },
  );
  const found = servers.map(({ origin, ...server }) => ({ ...server, origins: [origin] }));
  return { servers: describeAll(found, await storedServers(ports), ports), problems };
}

/** The servers of several files as one list: what starts the same comes once, and no two have one name. */
export function mergeImportable(
  found: readonly ImportableServers[],
  host: Pick<Host, 'servers'>,
): ImportableServers {
  const names = host.servers.list().map(({ name }) => name);
  const merged = new Map<string, ImportableServer>();
  for (const server of found.flatMap(({ servers }) => servers)) {
    const launch = launchOf(server.entry);
    const known = merged.get(launch);
    if (known !== undefined) {
      merged.set(launch, { ...known, origins: [...known.origins, ...server.origins] });
      continue;
    }
    const name = suggestServerName(server.entry.name, names);
    names.push(name);
    merged.set(launch, { ...server, entry: { ...server.entry, name } });
  }
  const problems = found.flatMap((config) => config.problems);
  return { servers: [...merged.values()], problems };
}

/** Finds the servers of other programs on this machine that are not stored yet. */
export async function findImportable(
  discovery: ServerDiscovery,
  ports: ReadImportPorts,
): Promise<ImportableServers> {
  const stored = await storedServers(ports);
  const { servers, problems } = await discovery.list(stored);
  const found = describeAll(servers, stored, ports);
  return { servers: found.filter(({ sameAs }) => sameAs === undefined), problems };
}

/** `Claude Code (.mcp.json), which came with this vault`. */
export function describeOrigin({ program, file, isFromVault }: ForeignOrigin): string {
  const title = program === 'errand' ? 'another vault' : foreignPrograms[program].title;
  return `${title} (${file})${isFromVault ? ', which came with this vault' : ''}`;
}

/** An entry to be stored, and the secrets taken out of it. */
interface PlannedServer {
  readonly entry: ServerConfig;
  readonly secrets: readonly TakenSecret[];
}

/** Plans to import servers, with references instead of what looks like secrets; nothing is stored. */
export async function planImport(
  servers: readonly ImportableServer[],
  { secrets }: { readonly secrets: Pick<SecretStore, 'names'> },
  keepsPlain: (server: ImportableServer) => boolean = () => false,
): Promise<readonly PlannedServer[]> {
  const names = new Set(await secrets.names());
  return servers.map((server) => {
    if (keepsPlain(server)) return { entry: server.entry, secrets: [] };
    const taken = takeSecrets(server.entry, names);
    for (const { name } of taken.secrets) names.add(name);
    return { entry: taken.server, secrets: taken.secrets };
  });
}

/** Stores planned servers and their secrets; one whose name was taken meanwhile gets another. */
export async function storeImport(
  planned: readonly PlannedServer[],
  ports: ChangeServerPorts & { readonly secrets: Pick<SecretStore, 'set'> },
  options?: AddOptions,
): Promise<void> {
  for (const { name, value } of planned.flatMap(({ secrets }) => secrets)) {
    await ports.secrets.set(name, value);
  }
  await addServers(
    ports,
    (stored) => {
      const names = stored.map(({ name }) => name);
      return planned.map(({ entry }) => {
        const name = suggestServerName(entry.name, names);
        names.push(name);
        return { ...entry, name };
      });
    },
    options,
  );
}

/** The stored servers with their secrets filled in, because other programs have them in plain text. */
function storedServers({ host, secrets }: ReadImportPorts): Promise<readonly ServerConfig[]> {
  return withSecretValues(host.servers.list(), secrets);
}

function describeAll(
  found: readonly DiscoveredServer[],
  stored: readonly ServerConfig[],
  { trust }: ReadImportPorts,
): readonly ImportableServer[] {
  const known = new Map(stored.map((server) => [launchOf(server), server.name]));
  return found.map(({ server, origins, notes, advice }) => {
    const taken = takeSecrets(server, []);
    const sameAs = known.get(launchOf(server));
    return {
      entry: newServer(server, crypto.randomUUID()),
      isEnabledThere: server.enabled,
      origins,
      does: trust.show(taken.server).does,
      notes,
      advice,
      secretFields: taken.secrets.map(({ field }) => field),
      ...(sameAs !== undefined && { sameAs }),
    };
  });
}

/** What an entry starts, whatever a person has allowed since. */
function launchOf({ approval: _, tools: __, ...server }: ServerConfig): string {
  return launchFingerprint(server);
}
