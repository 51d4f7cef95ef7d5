import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openHookStore, openHookTrust } from '@errand/hooks';
import {
  type Connectors,
  createHost,
  openToolHints,
  openTrust,
  type RetryPlan,
  type SecretStore,
  type Settings,
  type TrustStore,
} from '@errand/host';
import { createMemorySecretStore, createMemoryTrustStore } from '@errand/host/testing';
import { ExternalConnector, LocalConnector } from '@errand/machine/mcp';
import {
  CallLogFile,
  openAttachmentFolder,
  openNoteFolder,
  openSettingsFile,
  vaultLaunchFiles,
} from '@errand/machine/node';
import { PageNotifier } from '../page-notifier.ts';
import { type ServedWorkbench, serveWorkbench } from '../serve-workbench.ts';
import type { VaultServices } from '../workbench-ports.ts';
import { TestClient } from './test-client.ts';
import { openTestServices, type TestServices, type TestServicesPorts } from './test-services.ts';

export interface TestVault {
  /** Texts of notes and other files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Entries that nobody on this machine has agreed to. */
  readonly strangers?: readonly string[];
  /** Fills the vault's folder first. */
  readonly prepare?: (folder: string) => void;
  /** The built page, where a browser is to show it. */
  readonly pageFolder?: string;
  readonly plan?: Partial<RetryPlan>;
  /** The entries of .errand/hooks.json, which are agreed to unless they are among `strangers`; without it, none run. */
  readonly hooks?: readonly Readonly<Record<string, unknown>>[];
  /** What the owner of the vault runs besides the host, instead of hooks. */
  readonly openServices?: (
    ports: TestServicesPorts,
  ) => Promise<(VaultServices & AsyncDisposable) | undefined>;
}

/** A workbench on a real vault, with real servers and real HTTP on loopback. */
export interface TestWorkbench extends AsyncDisposable {
  readonly folder: string;
  readonly served: ServedWorkbench;
  readonly pageNotifier: PageNotifier;
  /** The hooks that run; only for a vault with `hooks`. */
  readonly services: TestServices | undefined;
  /** What was agreed to on this machine. */
  readonly trustStore: TrustStore;
  /** Ends the program, as Ctrl-C does; the vault stays. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** A browser that followed the link. */
  open(): Promise<TestClient>;
  readNote(path: string): Promise<string>;
  /** What another program does. */
  writeNote(path: string, text: string): Promise<void>;
}

/** What other programs present to the gateway of a test. */
export const gatewayToken = 'the-gateway-token-of-this-test';

export async function openTestWorkbench(vault: TestVault = {}): Promise<TestWorkbench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'errand-workbench-')));
  const folder = join(root, 'vault');
  const writeNote = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await mkdir(folder);
  vault.prepare?.(folder);
  for (const [path, text] of Object.entries(vault.files ?? {})) await writeNote(path, text);
  const given = { version: 1, mcpServers: [], ...vault.settings };
  await writeNote('.errand/settings.json', JSON.stringify(given, undefined, 2));

  const secrets = createMemorySecretStore(vault.secrets);
  const trustStore = createMemoryTrustStore();
  const { mcpServers, assistants } = await openSettingsFile(folder).load();
  const launchFiles = openLaunchFiles(folder);
  const first = await openTrust(trustStore, { launchFiles });
  const isKnown = ({ name }: { readonly name: string }) => !vault.strangers?.includes(name);
  await first.agree(mcpServers.filter(isKnown), assistants.filter(isKnown));
  first.close();
  if (vault.hooks !== undefined) {
    const text = JSON.stringify({ version: 1, hooks: vault.hooks }, undefined, 2);
    await writeNote('.errand/hooks.json', text);
    const { hooks } = await openHookStore(folder).load();
    const hookTrust = await openHookTrust(trustStore);
    await hookTrust.agree(hooks.filter(isKnown));
    hookTrust.close();
  }
  const begin = (port: number) => startProgram({ root, folder, vault, secrets, trustStore, port });
  let program = await begin(0);
  const { port } = new URL(program.served.gatewayUrl);
  return {
    folder,
    trustStore,
    get served() {
      return program.served;
    },
    get services() {
      return program.services;
    },
    get pageNotifier() {
      return program.pageNotifier;
    },
    stop: async () => program[Symbol.asyncDispose](),
    start: async () => {
      program = await begin(Number(port));
    },
    open: () => TestClient.open(program.served.newLink()),
    readNote: (path) => readFile(join(folder, path), 'utf8'),
    writeNote,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface ProgramOptions {
  readonly root: string;
  readonly folder: string;
  readonly vault: TestVault;
  readonly secrets: SecretStore;
  readonly trustStore: TrustStore;
  readonly port: number;
}

interface RunningProgram extends AsyncDisposable {
  readonly served: ServedWorkbench;
  readonly pageNotifier: PageNotifier;
  readonly services: TestServices | undefined;
}

/** Everything that lives in the program's memory; disposing it twice is harmless. */
async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const { root, folder, vault, secrets, trustStore, port } = options;
  const settings = openSettingsFile(folder);
  const trust = await openTrust(trustStore, { launchFiles: openLaunchFiles(folder) });
  const hints = await openToolHints(trustStore, trust);
  const pageNotifier = new PageNotifier();
  const side = {
    name: 'errand',
    version: '0.1.0',
    vaultFolder: folder,
    eras: new Map(),
    notifier: pageNotifier,
    elicitor: pageNotifier,
  };
  const connectors: Connectors = {
    local: new LocalConnector({
      host: side,
      childrenFolder: join(root, 'children'),
      neutralFolder: join(root, 'empty'),
    }),
    external: new ExternalConnector({ host: side }),
  };
  const log = new CallLogFile({
    vault: folder,
    settings: () => host.servers.settings,
    notifier: pageNotifier,
  });
  const host = await createHost({
    settings,
    connectors,
    notifier: pageNotifier,
    log,
    trust,
    hints,
    plan: { ...quickPlan, ...vault.plan },
  });
  const servicesPorts = { folder, root, host, trustStore, notifier: pageNotifier };
  const services = vault.hooks && (await openTestServices(servicesPorts));
  const otherServices = await vault.openServices?.(servicesPorts);
  const served = await serveWorkbench(
    {
      version: '0.1.0',
      folder,
      pageFolder: vault.pageFolder ?? join(root, 'page'),
      host,
      settings,
      secrets,
      references: { env: {}, secrets },
      trust,
      connectors,
      log,
      ...(services && { services }),
      ...(otherServices && { services: otherServices }),
      pageNotifier,
      notes: openNoteFolder(folder, join(root, 'locks')),
      attachments: openAttachmentFolder(folder, 'Attachments/errand'),
    },
    { port, gatewayToken },
  );
  let ended: Promise<void> | undefined;
  const end = async () => {
    await served[Symbol.asyncDispose]();
    await services?.[Symbol.asyncDispose]();
    await otherServices?.[Symbol.asyncDispose]();
    trust.close();
    await host[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
  };
  return {
    served,
    pageNotifier,
    services,
    [Symbol.asyncDispose]: () => {
      ended ??= end();
      return ended;
    },
  };
}

/** As in life, but nobody waits a quarter of a minute for a retry. */
const quickPlan = {
  backoffIntervals: [300, 300, 300],
  remoteJitter: 0,
  healthInterval: 30_000,
  healthDeadline: 5_000,
  sleepThreshold: 10_000,
  connectDeadline: 10_000,
  containerConnectDeadline: 30_000,
  fetchingConnectDeadline: 60_000,
  probeInterval: 300_000,
};

function openLaunchFiles(folder: string): ReturnType<typeof vaultLaunchFiles> {
  return vaultLaunchFiles({ vaultFolder: folder, neutralFolder: `${folder}-empty`, env: {} });
}
