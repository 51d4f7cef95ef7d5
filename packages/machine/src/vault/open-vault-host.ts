import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type {
  AttachmentStore,
  Connectors,
  Elicitor,
  HostError,
  HostRole,
  LaunchFiles,
  Notifier,
  ReferenceSources,
  SchemaGuard,
  SecretReader,
  SecretStore,
  ServerConfig,
  SettingsStore,
  StartTrust,
} from '@errand/host';
import {
  createHost,
  describeProblem,
  describeUnmatched,
  documentPathsOf,
  faultNotice,
  type Host,
  openToolHints,
  openTrust,
  rememberSecrets,
  systemClock,
  type Trust,
  type UserFolders,
  unmatchedPaths,
  userFolders,
} from '@errand/host';
import { openAttachmentFolder } from '../node/attachment-folder.ts';
import { CallLogFile } from '../node/call-log-file.ts';
import { childrenFolderIn, endOrphanedChildren } from '../node/child-record.ts';
import { currentPlatform } from '../node/current-platform.ts';
import { defaultShutdownTimes } from '../node/end-process-tree.ts';
import { openHealthFile } from '../node/health-file.ts';
import { realNotePath } from '../node/real-path.ts';
import { openTrustFile } from '../node/trust-file.ts';
import { vaultLaunchFiles } from '../node/vault-launch-files.ts';
import { walkFiles } from '../node/walk-files.ts';
import { type ConnectorPorts, openConnectors } from './open-connectors.ts';
import {
  askedReferences,
  checkWith,
  type SharedHost,
  sharedTrust,
  type VaultSharing,
} from './share-vault.ts';

/** What a face supplies to have a vault's host. */
export interface VaultPorts {
  /** Where the vault is on the disk. */
  readonly folder: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  /** Whether an unapproved entry may use a secret, as with `trustAll`; by default all may. */
  readonly offersSecret?: (name: string) => Promise<boolean>;
  readonly notifier: Notifier;
  readonly elicitor?: Elicitor;
  /** Whether callers may be able to answer questions, as clients of a gateway do. */
  readonly canAskCallers?: boolean;
  /** Closed with the host. */
  readonly guard?: SchemaGuard & AsyncDisposable;
  /** Takes every server for agreed to. */
  readonly trustAll?: boolean;
  /** Entries that need no agreement on this machine. */
  readonly isOwnServer?: (server: ServerConfig) => boolean;
  /** The entry to start a local program by. */
  readonly resolveProgram?: (server: ServerConfig) => ServerConfig;
  /** Finds the program that runs this vault's servers, or runs them here for others too. */
  readonly share?: (sharing: VaultSharing, signal?: AbortSignal) => Promise<SharedHost>;
}

/** A vault's host with what it was made of. Disposing it ends everything that was started. */
export interface VaultHost extends AsyncDisposable {
  readonly folder: string;
  readonly folders: UserFolders;
  readonly host: Host;
  readonly settings: SettingsStore;
  /** What they give out is kept out of the log. */
  readonly secrets: SecretStore;
  /** Where `${env:}` and `${secret:}` come from; what is found there is kept out of the log, too. */
  readonly references: ReferenceSources;
  readonly trust: Trust;
  readonly connectors: Connectors;
  readonly log: CallLogFile;
  readonly attachments: AttachmentStore;
  /** Takes the values of known secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** Wires the host of a vault on this machine. No server is started before it is used. */
export async function openVaultHost(ports: VaultPorts, signal?: AbortSignal): Promise<VaultHost> {
  const { folder, settings, notifier, env, guard } = ports;
  const folders = userFolders(currentPlatform());
  const loaded = await settings.load(signal);
  for (const problem of loaded.problems) {
    notifier.notify({ level: problem.level, ...describeProblem(problem, settings.name) });
  }
  const { trustAll = false, isOwnServer } = ports;
  const neutralFolder = join(folders.state, 'empty');
  const launchFiles = vaultLaunchFiles({ vaultFolder: folder, neutralFolder, env });
  const agreements = await openTrustFile(folders.state, folder);
  const trust = await openTrust(agreements, {
    trustAll,
    launchFiles,
    ...(isOwnServer && { isOwnServer }),
  });
  const { mayStart } = trust;
  const hints = await openToolHints(agreements, trust);
  const { secrets, remember, redact } = rememberSecrets(ports.secrets);
  const { offersSecret = async () => true } = ports;
  const isAgreed = (reader: SecretReader) => {
    // A hook runs only after somebody agreed to all that it does, which includes the secrets that it names.
    if ('hook' in reader) return true;
    return 'server' in reader
      ? trust.verdict(reader.server) === 'trusted'
      : trust.verdictOfAssistant(reader.assistant) === 'trusted';
  };
  const references = {
    env,
    secrets,
    onFound: remember,
    mayRead: async (name: string, reader: SecretReader) =>
      isAgreed(reader) || (await offersSecret(name)),
  };
  const starting = { mayStart, launchFiles, neutralFolder };
  const { connectors, tidied } = connect(ports, folders, references, starting);
  const log = new CallLogFile({
    vault: folder,
    settings: () => host.servers.settings,
    notifier,
    redact,
  });
  const health = await openHealthFile(folders.state, folder);
  const decide: StartTrust = { mayStart, verdict: trust.verdict };
  const notePath = (path: string) => realNotePath(folder, path);
  const openHost = async (role: HostRole): Promise<Host> => {
    const { askSecret, fence } = role;
    if (role.earlier !== undefined) await trust.refresh();
    const running = connect(
      // Who runs servers for other programs lets them ask the people there.
      { ...ports, notifier: role.notifier, ...(askSecret && { canAskCallers: true }) },
      folders,
      askSecret === undefined ? references : askedReferences(references, askSecret),
      { ...starting, mayStart: (server) => fence?.() ?? mayStart(server) },
      role.deposed,
    );
    const closing = new AbortController();
    if (loaded.mcpServers.some(({ deploymentType }) => deploymentType === 'managed')) {
      import('../docker/reap-containers.ts')
        .then(({ keepReaping }) => keepReaping(env, systemClock, closing.signal))
        .catch((error) => notifier.notify(faultNotice('Old containers are not removed', error)));
    }
    const made = await createHost(
      {
        settings,
        // Read at the start; who takes over later reads them again.
        ...(role.earlier === undefined && { loaded }),
        health,
        connectors: running.connectors,
        parallelStarts: 2 * availableParallelism(),
        notifier: role.notifier,
        log,
        trust: { ...decide, mayStart: (server) => fence?.() ?? mayStart(server) },
        approvalOf: trust.approvalOf,
        hints,
        realNotePath: notePath,
        ...(guard && { guard }),
        ...(role.earlier && { earlier: role.earlier }),
      },
      signal,
    );
    const dispose = made[Symbol.asyncDispose];
    return Object.defineProperty(made, Symbol.asyncDispose, {
      value: async () => {
        closing.abort();
        await dispose.call(made);
        await running.tidied.catch(() => undefined);
      },
    });
  };
  let shared: SharedHost | undefined;
  let host: Host;
  try {
    shared = await ports.share?.(
      {
        vault: folder,
        stateFolder: folders.state,
        env,
        notifier,
        ...(ports.elicitor && { elicitor: ports.elicitor }),
        secrets,
        trust: decide,
        hints,
        approvalOf: trust.approvalOf,
        check: checkWith(guard, notifier),
        realNotePath: notePath,
        onFault: (error) => notifier.notify(faultNotice('Sharing the vault failed', error)),
        log,
        redact,
        references,
        mayUse: trust.mayUse,
        openHost,
        refresh: async (made) => {
          await trust.refresh();
          made.servers.apply(await settings.load());
        },
      },
      signal,
    );
    host = shared ?? (await openHost({ notifier }));
  } catch (error) {
    trust.close();
    hints.close();
    await guard?.[Symbol.asyncDispose]();
    throw error;
  }
  const checks = checkDocumentPaths(host, folder, notifier);
  return {
    folder,
    folders,
    host,
    settings,
    secrets,
    references,
    trust: shared === undefined ? trust : sharedTrust(trust, shared),
    connectors,
    log,
    redact,
    attachments: openAttachmentFolder(folder, loaded.attachmentsFolder),
    async [Symbol.asyncDispose]() {
      trust.close();
      hints.close();
      await host[Symbol.asyncDispose]();
      await guard?.[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      await tidied.catch(() => undefined);
      await checks[Symbol.asyncDispose]();
    },
  };
}

/** Tells of bindings for notes that are not there, now and when the settings change; each path once. */
function checkDocumentPaths(
  { servers, events }: Pick<Host, 'servers' | 'events'>,
  folder: string,
  notifier: Notifier,
): AsyncDisposable {
  const seen = new Set<string>();
  const check = async () => {
    const fresh = documentPathsOf(servers.settings).filter((path) => !seen.has(path));
    for (const path of fresh) seen.add(path);
    for (const path of await unmatchedPaths(fresh, walkFiles(folder))) {
      notifier.notify({ level: 'warning', message: describeUnmatched(path) });
    }
  };
  let checking = check();
  const unsubscribe = events.subscribe(({ kind }) => {
    if (kind === 'settings-changed') checking = checking.then(check);
  });
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await checking;
    },
  };
}

interface StartChecks {
  readonly mayStart: (server: ServerConfig) => HostError | undefined;
  readonly launchFiles: LaunchFiles;
  readonly neutralFolder: string;
}

/** The connectors, and what a crash left behind being ended; a program is only started after that. */
function connect(
  { folder, version, env, notifier, elicitor, canAskCallers, resolveProgram }: VaultPorts,
  folders: UserFolders,
  references: ConnectorPorts['references'],
  { mayStart, launchFiles, neutralFolder }: StartChecks,
  deposed?: HostRole['deposed'],
): { readonly connectors: Connectors; readonly tidied: Promise<unknown> } {
  const childrenFolder = childrenFolderIn(folders.state);
  const tidied = endOrphanedChildren(childrenFolder, defaultShutdownTimes, deposed);
  // The failure is reported when a program starts.
  tidied.catch(() => undefined);
  const host = {
    name: 'errand',
    version,
    vaultFolder: folder,
    eras: new Map(),
    notifier,
    ...(elicitor && { elicitor }),
    ...(canAskCallers && { canAskCallers }),
  };
  const ports = {
    host,
    env,
    childrenFolder,
    neutralFolder,
    mayStart: (server: ServerConfig) => {
      // Read again, not only looked at: a clock that was set back may hide a change.
      launchFiles.of(server, { isFresh: true });
      return mayStart(server);
    },
    tidied,
    references,
    ...(resolveProgram && { resolveProgram }),
  };
  return { connectors: openConnectors(ports), tidied };
}
