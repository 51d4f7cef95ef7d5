import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Connectors,
  createExpandingConnector,
  createHost,
  describeProblem,
  type Elicitor,
  type Host,
  HostError,
  type Notifier,
  openTrust,
  type RunNotePorts,
  type SecretStore,
  type SettingsStore,
  systemClock,
  type Trust,
  type UserFolders,
  userFolders,
} from '@errand/host';
import { keepReaping, ManagedConnector } from '@errand/host/docker';
import { ExternalConnector, LocalConnector, oauthAuthorizers } from '@errand/host/mcp';
import {
  CallLogFile,
  currentPlatform,
  defaultEndingTimes,
  endChildrenLeftBehind,
  findVaultFolder,
  openAttachmentFolder,
  openNoteFolder,
  openSettingsFile,
  openTrustFile,
  SchemaWorker,
} from '@errand/host/node';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { rememberSecrets } from './known-secrets.ts';
import { openSecrets } from './open-secrets.ts';
import { isOwnServer, withOwnPrograms } from './own-programs.ts';
import { version } from './version.ts';

/** A vault with everything a command may need of it. Disposing it ends all that was started. */
export interface OpenVault extends RunNotePorts, AsyncDisposable {
  readonly folder: string;
  readonly folders: UserFolders;
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly trust: Trust;
  readonly connectors: Connectors;
  readonly log: CallLogFile;
}

/** Wires a host for the vault that a command works in. No server is started before it is used. */
export async function openVault(
  options: CommonOptions,
  { terminal, signal }: CommandContext,
  { notifier, elicitor }: { readonly notifier: Notifier; readonly elicitor?: Elicitor },
  start: string = terminal.cwd,
): Promise<OpenVault> {
  const folder = await vaultFolder(options, terminal.cwd, start);
  const folders = userFolders(currentPlatform());
  const childrenFolder = join(folders.state, 'children');
  await endChildrenLeftBehind(childrenFolder, defaultEndingTimes);

  const settings = openSettingsFile(folder);
  const loaded = await settings.load(signal);
  for (const problem of loaded.problems) {
    const message = describeProblem(problem, '.errand/settings.json');
    notifier.notify({ level: problem.level, message });
  }
  const { secrets, remember, redact } = rememberSecrets(openSecrets());
  const trust = await openTrust(await openTrustFile(folders.state, folder), {
    trustAll: options.trust === true || terminal.env.ERRAND_TRUST === '1',
  });
  const side = {
    name: 'errand',
    version,
    vaultFolder: folder,
    eras: new Map(),
    notifier,
    ...(elicitor && { elicitor }),
  };
  const expanding = (connector: Parameters<typeof createExpandingConnector>[0]) =>
    createExpandingConnector(connector, { env: terminal.env, secrets, onFound: remember });
  const { env } = terminal;
  const connectors: Connectors = {
    local: withOwnPrograms(expanding(new LocalConnector({ host: side, childrenFolder }))),
    external: expanding(
      new ExternalConnector({ host: side, authorizerFor: oauthAuthorizers(secrets) }),
    ),
    managed: expanding(new ManagedConnector({ host: side, env })),
  };
  const closing = new AbortController();
  if (loaded.mcpServers.some(({ deploymentType }) => deploymentType === 'managed')) {
    void keepReaping(env, systemClock, closing.signal);
  }
  const guard = new SchemaWorker();
  const log = new CallLogFile({
    vault: folder,
    settings: () => host.servers.settings,
    notifier,
    redact,
  });
  const host: Host = await createHost(
    {
      settings,
      connectors,
      notifier,
      log,
      guard,
      mayStart: (server) => (isOwnServer(server) ? undefined : trust.mayStart(server)),
    },
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
    notes: openNoteFolder(folder, join(folders.state, 'locks')),
    attachments: openAttachmentFolder(folder, loaded.attachmentsFolder),
    async [Symbol.asyncDispose]() {
      closing.abort();
      trust.close();
      await host[Symbol.asyncDispose]();
      await guard[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

async function vaultFolder({ vault }: CommonOptions, cwd: string, start: string): Promise<string> {
  if (vault === undefined) return (await findVaultFolder(start)).folder;
  const folder = resolve(cwd, vault);
  if (existsSync(folder)) return folder;
  throw new HostError(
    'settings_invalid',
    `There is no folder ${folder}. Name another with --vault, or make it a vault with: errand init ${vault}`,
  );
}
