import { join } from 'node:path';
import {
  type CallLog,
  type Connector,
  type Connectors,
  createExpandingConnector,
  createHost,
  createRedactor,
  describeProblem,
  type Host,
  HostError,
  type Notifier,
  openTrust,
  type RunNotePorts,
  type SecretStore,
  type ServerConfig,
  type SettingsStore,
  systemClock,
  type Trust,
  userFolders,
} from '@errand/host';
import { keepReaping, ManagedConnector } from '@errand/host/docker';
import { ExternalConnector, LocalConnector, oauthAuthorizers } from '@errand/host/mcp';
import {
  CallLogFile,
  currentPlatform,
  defaultEndingTimes,
  endChildrenLeftBehind,
  openAttachmentFolder,
  openTrustFile,
} from '@errand/host/node';

/** What Obsidian supplies. */
export interface VaultPorts {
  /** Where the vault is on the disk. */
  readonly folder: string;
  readonly version: string;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly notifier: Notifier;
}

/** The host of a vault. Disposing it ends everything that was started. */
export interface OpenVault extends Omit<RunNotePorts, 'notes'>, AsyncDisposable {
  readonly host: Host;
  readonly trust: Trust;
  readonly connectors: Connectors;
  readonly log: CallLog;
}

/** Wires a host for a vault that is open in Obsidian. No server is started before it is used. */
export async function openVault(ports: VaultPorts): Promise<OpenVault> {
  const { folder, version, settings, secrets, notifier } = ports;
  const { env } = process;
  const folders = userFolders(currentPlatform());
  const childrenFolder = join(folders.state, 'children');
  const loaded = await settings.load();
  for (const problem of loaded.problems) {
    notifier.notify({ level: problem.level, message: describeProblem(problem, 'data.json') });
  }
  const trust = await openTrust(await openTrustFile(folders.state, folder));

  const known = new Map<string, string>();
  const onFound = (reference: string, value: string) => known.set(reference, value);
  const expanding = (connector: Connector) =>
    createExpandingConnector(connector, { env, secrets, onFound });
  const side = { name: 'errand', version, vaultFolder: folder, eras: new Map(), notifier };
  const authorizerFor = oauthAuthorizers(secrets);
  const connectors: Connectors = {
    local: expanding(
      afterTidying(new LocalConnector({ host: side, childrenFolder }), childrenFolder),
    ),
    external: expanding(new ExternalConnector({ host: side, authorizerFor })),
    managed: expanding(new ManagedConnector({ host: side, env })),
  };
  const closing = new AbortController();
  if (loaded.mcpServers.some(({ deploymentType }) => deploymentType === 'managed')) {
    void keepReaping(env, systemClock, closing.signal);
  }
  const log = new CallLogFile({
    vault: folder,
    settings: () => host.servers.settings,
    notifier,
    redact: (text) => createRedactor(known)(text),
  });
  const mayStart = (server: ServerConfig) => refusal(trust, server);
  const host: Host = await createHost({ settings, connectors, notifier, log, mayStart });
  return {
    host,
    trust,
    connectors,
    log,
    attachments: openAttachmentFolder(folder, loaded.attachmentsFolder),
    async [Symbol.asyncDispose]() {
      closing.abort();
      trust.close();
      await host[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

/** Before the first program is started, what a crash left behind is ended; opening a vault does not wait for it. */
function afterTidying(connector: Connector, childrenFolder: string): Connector {
  let tidied: Promise<unknown> | undefined;
  return {
    async connect(server, options) {
      tidied ??= endChildrenLeftBehind(childrenFolder, defaultEndingTimes);
      await tidied;
      return connector.connect(server, options);
    },
  };
}

function refusal(trust: Trust, server: ServerConfig): HostError | undefined {
  if (trust.verdict(server) === 'trusted') return undefined;
  const message = `Nobody on this computer has agreed to server "${server.name}" yet. Press Run on one of its blocks, look at what it would start, and agree.`;
  return new HostError('untrusted', message, { server: server.name, neverSent: true });
}
