import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollFiles } from '@errand/files';
import { faultNotice, HostError } from '@errand/host';
import type { JobEngine, JobsOptions } from '@errand/jobs';
import type { OpenServicesPorts, OwnerServices } from '@errand/owner';
import { answerJobs } from './answer-jobs.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { OpenHooks, OpenHooksPorts } from './open-hooks.ts';

export interface VaultServicesPorts extends Omit<OpenHooksPorts, 'host' | 'notifier'> {
  readonly jobsFile: string;
}

/**
 * What an owner runs besides the host of its vault: jobs and hooks. Nothing is opened before there is a hook, or
 * a job that an earlier owner left, or somebody asks.
 */
export function vaultServices(
  ports: VaultServicesPorts,
  { host, notifier, emit }: OpenServicesPorts,
): OwnerServices {
  const { jobsFile, folder } = ports;
  const hooksFile = join(folder, '.errand', 'hooks.json');
  const closing = new AbortController();
  let opening: Promise<Running> | undefined;
  const open = () => {
    opening ??= run(ports, { host, notifier, emit }, closing.signal);
    return opening;
  };
  const openSoon = () =>
    void open().catch((error) => {
      if (!closing.signal.aborted) notifier.notify(faultNotice('Hooks cannot be run', error));
    });
  const isWanted = () => existsSync(hooksFile) || existsSync(jobsFile);
  // After the program said that it is ready: no vault starts slower for its hooks.
  const waiting = setImmediate(() => {
    if (isWanted()) openSoon();
    else void waitFor(hooksFile, closing.signal).then((isThere) => isThere && openSoon());
  });
  return {
    async request({ service, method, params }, signal) {
      if (service === 'jobs') {
        const jobs = opening !== undefined || isWanted() ? (await open()).jobs : undefined;
        return answerJobs(jobs, method, params);
      }
      if (service === 'hooks') {
        const { hooks } = await open();
        // Whoever gave up while hooks were being opened was told that nothing happened.
        signal.throwIfAborted();
        return explainRefusal(hooks.service.answer(method, params, signal));
      }
      throw new HostError('settings_invalid', `There is no service "${service}".`);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearImmediate(waiting);
      const running = await opening?.catch(() => undefined);
      await running?.[Symbol.asyncDispose]();
    },
  };
}

interface Running extends AsyncDisposable {
  readonly jobs: JobEngine;
  readonly hooks: OpenHooks;
}

async function run(
  ports: VaultServicesPorts,
  { host, notifier, emit }: OpenServicesPorts,
  signal: AbortSignal,
): Promise<Running> {
  const { openHooks } = await import('./open-hooks.ts');
  const hooks = await openHooks({ ...ports, host, notifier });
  const { engine } = hooks;
  try {
    const onFault = (error: unknown) => notifier.notify(faultNotice('A job failed', error));
    const flows = { hook: engine.flow };
    const jobs = await openJobs(
      ports.jobsFile,
      { flows, concurrency: jobsAtOnce, onFault },
      signal,
    );
    await engine.start(jobs);
    engine.events.subscribe((event) => emit({ service: 'hooks', event: { ...event } }));
    const kept = host.servers.settings.logDays * 86_400_000;
    await jobs.prune(Date.now() - kept);
    return {
      jobs,
      hooks,
      async [Symbol.asyncDispose]() {
        await engine[Symbol.asyncDispose]();
        await jobs[Symbol.asyncDispose]();
        await hooks[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await hooks[Symbol.asyncDispose]();
    throw error;
  }
}

/** Runs that have begun; how many act at once is up to the hooks. */
const jobsAtOnce = 500;

/** Waits for an owner that was replaced because it stood still: it has the file open until it goes on, or ends. */
async function openJobs(
  file: string,
  options: JobsOptions,
  signal: AbortSignal,
): Promise<JobEngine> {
  const { JobsError, sqliteStore, StoredJobs } = await import('@errand/jobs');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    signal.throwIfAborted();
    try {
      return StoredJobs.open(sqliteStore(file), options);
    } catch (error) {
      if (!(error instanceof JobsError && error.code === 'in_use')) throw error;
      await sleep(retryMs, undefined, { signal });
    }
  }
}

const retryMs = 500;

/** Resolves when a file is there; with false when the waiting ends before. */
async function waitFor(file: string, signal: AbortSignal): Promise<boolean> {
  for await (const _ of pollFiles([file], signal, { ref: false })) {
    if (existsSync(file)) return true;
  }
  return false;
}
