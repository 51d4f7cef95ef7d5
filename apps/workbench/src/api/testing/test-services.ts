import { join } from 'node:path';
import {
  actionRunners,
  ChainTracker,
  eventSources,
  HookEngine,
  type HookEngineEvent,
  type HookRun,
  HooksService,
  openHookStore,
  openHookTrust,
} from '@errand/hooks';
import {
  type Host,
  HostError,
  Listeners,
  type Notifier,
  systemClock,
  type TrustStore,
} from '@errand/host';
import { memoryStore, StoredJobs } from '@errand/jobs';
import { openProgramRunner } from '@errand/machine/node';
import type { VaultServices } from '../workbench-ports.ts';

export interface TestServicesPorts {
  readonly folder: string;
  readonly root: string;
  readonly host: Host;
  readonly trustStore: TrustStore;
  readonly notifier: Notifier;
}

/** Running hooks of a vault as its owner offers them, with the log and the jobs in memory. */
export interface TestServices extends VaultServices, AsyncDisposable {
  readonly engine: HookEngine;
}

export async function openTestServices(ports: TestServicesPorts): Promise<TestServices> {
  const { folder, root, host, trustStore, notifier } = ports;
  const stateFolder = join(root, 'state');
  const chains = new ChainTracker(systemClock);
  const ended: HookRun[] = [];
  const store = openHookStore(folder, { findServerId: (name) => host.servers.find(name)?.id });
  const trust = await openHookTrust(trustStore);
  const made = {
    store,
    trust,
    chains,
    sources: eventSources({ folder, stateFolder, clock: systemClock, host, chains }),
    runners: actionRunners({
      host,
      folder,
      env: {},
      secrets: { get: async () => undefined },
      programs: openProgramRunner({ vaultFolder: folder, stateFolder }),
      ask: async () => ({ status: 'skipped', message: 'There are no assistants here.' }),
    } as unknown as Parameters<typeof actionRunners>[0]),
    context: { workspacePath: folder, git: async () => undefined },
    log: {
      append: (run: HookRun) => void ended.push(run),
      read: async ({ hookId, limit }: { readonly hookId?: string; readonly limit: number }) =>
        ended
          .filter((run) => (hookId ?? run.hookId) === run.hookId)
          .toReversed()
          .slice(0, limit),
      find: async (id: string) => ended.findLast((run) => run.id.startsWith(id)),
      keepOutput: async (name: string) => name,
    },
    records: { load: async () => ({}), save: async () => undefined },
    clock: systemClock,
    notifier,
    onFault: (error: unknown) => console.error(error),
  };
  const engine = await HookEngine.open(made);
  const service = new HooksService({ ...made, engine, host });
  const jobs = StoredJobs.open(memoryStore(), { flows: { hook: engine.flow }, concurrency: 500 });
  await engine.start(jobs);
  const events = new Listeners<{ service: string; event: HookEngineEvent }>(made.onFault);
  engine.events.subscribe((event) => events.emit({ service: 'hooks', event }));
  return {
    engine,
    request: async ({ method, params }, signal = new AbortController().signal) => ({
      value: await service.answer(method, params, signal).catch((error: Error) => {
        if (error.name !== 'HooksError') throw error;
        throw new HostError('settings_invalid', error.message, {}, { cause: error });
      }),
    }),
    serviceEvents: events as unknown as VaultServices['serviceEvents'],
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      await engine.records[Symbol.asyncDispose]();
      trust.close();
    },
  };
}
