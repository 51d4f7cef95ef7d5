import { join } from 'node:path';
import type { Connector } from '../connection.ts';
import { createHost, type Host } from '../create-host.ts';
import { ManagedConnector } from '../docker/managed-connector.ts';
import { keepReaping } from '../docker/reap-containers.ts';
import type { Elicitor } from '../elicitor.ts';
import type { SchemaGuard } from '../executor/schema-guard.ts';
import type { HostError } from '../host-error.ts';
import { ExternalConnector } from '../mcp/http/external-connector.ts';
import { LocalConnector } from '../mcp/local-connector.ts';
import { oauthAuthorizers } from '../mcp/oauth/oauth-authorizer.ts';
import { openAttachmentFolder } from '../node/attachment-folder.ts';
import { CallLogFile } from '../node/call-log-file.ts';
import { endChildrenLeftBehind } from '../node/child-record.ts';
import { currentPlatform } from '../node/current-platform.ts';
import { defaultEndingTimes } from '../node/end-process-tree.ts';
import { openTrustFile } from '../node/trust-file.ts';
import type { AttachmentStore } from '../notes/attachment-store.ts';
import type { Notifier } from '../notifier.ts';
import type { Connectors } from '../registry/server-registry.ts';
import type { SecretStore } from '../secret-store.ts';
import { createExpandingConnector } from '../settings/expanding-connector.ts';
import { openTrust, type Trust } from '../settings/open-trust.ts';
import { rememberSecrets } from '../settings/remember-secrets.ts';
import { describeProblem } from '../settings/settings-problem.ts';
import { type UserFolders, userFolders } from '../settings/user-folders.ts';
import type { ServerConfig } from '../settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import { systemClock } from '../system-clock.ts';

/** What a face supplies to have a vault's host. */
export interface VaultPorts {
  /** Where the vault is on the disk. */
  readonly folder: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: SettingsStore;
  /** What a person calls the file of the settings. */
  readonly settingsName: string;
  readonly secrets: SecretStore;
  readonly notifier: Notifier;
  readonly elicitor?: Elicitor;
  /** Closed with the host. */
  readonly guard?: SchemaGuard & AsyncDisposable;
  /** Takes every server for agreed to. */
  readonly trustAll?: boolean;
  /** Why a server must not be started. */
  readonly mayStart: (server: ServerConfig, trust: Trust) => HostError | undefined;
  /** Changes how local programs are started. */
  readonly aroundLocal?: (connector: Connector) => Connector;
}

/** A vault's host with what it was made of. Disposing it ends everything that was started. */
export interface VaultHost extends AsyncDisposable {
  readonly folder: string;
  readonly folders: UserFolders;
  readonly host: Host;
  readonly settings: SettingsStore;
  /** What they give out is kept out of the log. */
  readonly secrets: SecretStore;
  readonly trust: Trust;
  readonly connectors: Connectors;
  readonly log: CallLogFile;
  readonly attachments: AttachmentStore;
}

/** Wires the host of a vault on this machine. No server is started before it is used. */
export async function openVaultHost(ports: VaultPorts, signal?: AbortSignal): Promise<VaultHost> {
  const { folder, settings, notifier, env, guard } = ports;
  const folders = userFolders(currentPlatform());
  const loaded = await settings.load(signal);
  for (const problem of loaded.problems) {
    const message = describeProblem(problem, ports.settingsName);
    notifier.notify({ level: problem.level, message });
  }
  const { trustAll = false } = ports;
  const trust = await openTrust(await openTrustFile(folders.state, folder), { trustAll });
  const { secrets, remember, redact } = rememberSecrets(ports.secrets);
  const { connectors, tidied } = connect(ports, folders, { secrets, onFound: remember });
  const closing = new AbortController();
  if (loaded.mcpServers.some(({ deploymentType }) => deploymentType === 'managed')) {
    void keepReaping(env, systemClock, closing.signal);
  }
  const log = new CallLogFile({
    vault: folder,
    settings: () => host.servers.settings,
    notifier,
    redact,
  });
  const mayStart = (server: ServerConfig) => ports.mayStart(server, trust);
  const host: Host = await createHost(
    { settings, connectors, notifier, log, mayStart, ...(guard && { guard }) },
    signal,
  );
  return {
    folder,
    folders,
    host,
    settings,
    secrets,
    trust,
    connectors,
    log,
    attachments: openAttachmentFolder(folder, loaded.attachmentsFolder),
    async [Symbol.asyncDispose]() {
      closing.abort();
      trust.close();
      await host[Symbol.asyncDispose]();
      await guard?.[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      await tidied.catch(() => undefined);
    },
  };
}

/** The connectors, and what a crash left behind being ended; a program is only started after that. */
function connect(
  { folder, version, env, notifier, elicitor, aroundLocal }: VaultPorts,
  folders: UserFolders,
  { secrets, onFound }: FoundSecrets,
): { readonly connectors: Connectors; readonly tidied: Promise<unknown> } {
  const childrenFolder = join(folders.state, 'children');
  const tidied = endChildrenLeftBehind(childrenFolder, defaultEndingTimes);
  // Whoever starts a program hears of it.
  tidied.catch(() => undefined);
  const host = {
    name: 'errand',
    version,
    vaultFolder: folder,
    eras: new Map(),
    notifier,
    ...(elicitor && { elicitor }),
  };
  const expanding = (connector: Connector) =>
    createExpandingConnector(connector, { env, secrets, onFound });
  const local = expanding(new LocalConnector({ host, childrenFolder }));
  const started: Connector = aroundLocal?.(local) ?? local;
  return {
    connectors: {
      local: {
        async connect(server, options) {
          await tidied;
          return started.connect(server, options);
        },
      },
      external: expanding(
        new ExternalConnector({ host, authorizerFor: oauthAuthorizers(secrets) }),
      ),
      managed: expanding(new ManagedConnector({ host, env })),
    },
    tidied,
  };
}

interface FoundSecrets {
  readonly secrets: SecretStore;
  readonly onFound: (reference: string, value: string) => void;
}
