import { join } from 'node:path';
import {
  AgentTurns,
  actionRunners,
  assistantsOf,
  ChainTracker,
  eventSources,
  HookEngine,
  type HookEnginePorts,
  type HookRecords,
  type HookStore,
  HooksService,
  type HookTrust,
  httpEndpoint,
  openHookStore,
  openHookTrust,
  openStateFile,
} from '@errand/hooks';
import { openBridges } from '@errand/hooks/bridge';
import {
  type CallLog,
  faultNotice,
  type Host,
  type Notifier,
  type ProgramRunner,
  type ReferenceSources,
  systemClock,
  type Trust,
} from '@errand/host';
import {
  currentPlatform,
  findNote,
  openAttachmentFolder,
  openNoteFolder,
  openProgramRunner,
  openTrustFile,
  vaultLaunchFiles,
} from '@errand/machine/node';
import { z } from 'zod';
import { openHookLog } from './hook-log.ts';

export interface OpenHooksPorts {
  readonly folder: string;
  /** The user's state folder. */
  readonly stateFolder: string;
  readonly host: Host;
  readonly env: NodeJS.ProcessEnv;
  readonly references: ReferenceSources;
  /** Where calls are recorded that an assistant makes. */
  readonly callLog: CallLog;
  readonly mayUse: Trust['mayUse'];
  readonly trustAll: boolean;
  readonly notifier: Notifier;
  readonly redact: (text: string) => string;
}

/** The hooks of a vault, with what they are made of. */
export interface OpenHooks extends AsyncDisposable {
  readonly engine: HookEngine;
  readonly service: HooksService;
  readonly store: HookStore;
  readonly trust: HookTrust;
}

/** Reads the hooks of a vault. They run once `engine.start` was called; disposing writes what is to be kept. */
export async function openHooks(ports: OpenHooksPorts): Promise<OpenHooks> {
  const { folder, stateFolder, host, references, notifier, redact, trustAll, env } = ports;
  const { servers } = host;
  const store = openHookStore(folder, { findServerId: (name) => servers.find(name)?.id });
  const neutralFolder = join(stateFolder, 'empty');
  const launchFiles = vaultLaunchFiles({ vaultFolder: folder, neutralFolder, env });
  const agreements = await openTrustFile(stateFolder, folder);
  const trust = await openHookTrust(agreements, { trustAll, launchFiles });
  const programs = openProgramRunner({ vaultFolder: folder, stateFolder });
  const chains = new ChainTracker(systemClock);
  const turns = new AgentTurns(systemClock);
  const bridges = openBridges(folder, currentPlatform());
  const log = openHookLog({ vault: folder, bounds: () => servers.settings, notifier, redact });
  const records = await openStateFile({ folder, stateFolder }, 'records.json', recordsSchema);
  const context = { workspacePath: folder, git: gitIn(folder, programs) };
  const runners = actionRunners({
    ...references,
    host,
    folder,
    programs,
    ask: assistantsOf({
      models: { ...references, mayUse: ports.mayUse },
      host,
      log: ports.callLog,
      notes: openNoteFolder(folder, join(stateFolder, 'locks')),
      attachments: openAttachmentFolder(folder, servers.settings.attachmentsFolder),
      findNote: (name, signal) => findNote(folder, name, signal),
    }),
  });
  const made: HookEnginePorts = {
    store,
    trust,
    sources: eventSources({ folder, stateFolder, clock: systemClock, host, chains, turns }),
    runners,
    context,
    chains,
    log,
    records: { load: async () => (await records.read()) ?? {}, save: (all) => records.write(all) },
    clock: systemClock,
    notifier,
    limits: actionLimit(env),
    onFault: (error) => notifier.notify(faultNotice('A hook failed', error)),
  };
  const engine = await HookEngine.open(made);
  const endpoint = (hookId: string) => httpEndpoint({ folder, stateFolder }, hookId);
  const isBridged = async () => (await bridges.list()).some(({ isInstalled }) => isInstalled);
  const agents = { turns, isBridged, redact };
  return {
    engine,
    service: new HooksService({ ...made, trust, engine, host, endpoint, ...agents }),
    store,
    trust,
    async [Symbol.asyncDispose]() {
      await engine.records[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      trust.close();
    },
  };
}

/** How many actions may work at once, where somebody set it. */
function actionLimit(env: NodeJS.ProcessEnv): { readonly actions?: number } {
  const actions = Number(env.MCP_MAX_CONCURRENT_ACTIONS);
  return Number.isInteger(actions) && actions > 0 ? { actions } : {};
}

/** What git says of the vault; undefined when it fails, or takes too long. */
function gitIn(folder: string, programs: ProgramRunner): HookEnginePorts['context']['git'] {
  return async (args) => {
    const program = {
      command: 'git',
      args,
      cwd: folder,
      env: { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      outputLimit: 64 * 1024,
    };
    const end = await programs.run(program, AbortSignal.timeout(gitMs));
    return end.kind === 'exited' && end.exitCode === 0 ? end.output : undefined;
  };
}

const gitMs = 5_000;

const number = z.number().exactOptional();
const status = z.enum([
  'success',
  'failure',
  'skipped',
  'timeout',
  'cancelled',
  'running',
  'queued',
  'lost',
]);
const recordsSchema: z.ZodType<HookRecords> = z.record(
  z.string(),
  z.object({
    lastExecutedAt: number,
    executionCount: number,
    lastRun: z.object({ id: z.string(), status }).exactOptional(),
    startedAt: z.array(z.number()).exactOptional(),
    pausedAt: number,
    problem: z.string().exactOptional(),
  }),
);
