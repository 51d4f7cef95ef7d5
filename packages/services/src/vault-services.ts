import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollFiles } from '@errand/files';
import { faultNotice, HostError } from '@errand/host';
import type { JobEngine, JobsOptions } from '@errand/jobs';
import type { VaultPorts } from '@errand/machine/vault';
import type { OpenServicesPorts, OwnerServices, SharePorts } from '@errand/owner';
import { answerJobs } from './answer-jobs.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { OpenHooks, OpenHooksPorts } from './open-hooks.ts';
import type { OpenMail } from './open-mail.ts';
import { tellHooks } from './tell-hooks.ts';
import { vaultState } from './vault-state.ts';

interface VaultServicesPorts extends Omit<OpenHooksPorts, 'host' | 'notifier'> {
  readonly jobsFile: string;
  /** Opens jobs that are kept together with other programs, instead of those in the file. */
  readonly openSharedJobs?: OpenJobs | undefined;
  /** Gets the engine of the jobs once it is open. */
  readonly onJobs?: ((jobs: JobEngine) => void) | undefined;
}

type OpenJobs = (
  options: JobsOptions,
  ports: Pick<OpenServicesPorts, 'notifier'> & {
    /** Hears why jobs cannot be opened yet, as often as that was tried. */
    readonly onWaiting: (reason: unknown) => void;
    readonly signal: AbortSignal;
  },
) => Promise<JobEngine>;

/** What a program decides about its services itself. */
export interface ServicesOptions
  extends Pick<VaultServicesPorts, 'trustAll' | 'openSharedJobs' | 'onJobs'> {}

/** Lets a program run jobs, hooks and the mailroom of a vault while it owns it. */
export async function servicesWhileOwning(
  sharing: Parameters<NonNullable<VaultPorts['share']>>[0],
  options: ServicesOptions,
): Promise<NonNullable<SharePorts['openServices']>> {
  const { vault: folder, env, log: callLog } = sharing;
  const { jobsFile } = await vaultState(folder, env);
  return (opened) => vaultServices({ ...sharing, ...options, folder, callLog, jobsFile }, opened);
}

/**
 * What an owner runs besides the host of its vault: jobs, hooks and the mailroom. Nothing is opened before there
 * is a hook, a mailbox, or a job that an earlier owner left, or somebody asks.
 */
function vaultServices(
  ports: VaultServicesPorts,
  { host, notifier, emit }: OpenServicesPorts,
): OwnerServices {
  const { jobsFile, folder, openSharedJobs } = ports;
  const hooksFile = join(folder, '.errand', 'hooks.json');
  const closing = new AbortController();
  let opening: Promise<Running> | undefined;
  const waiting = Promise.withResolvers<void>();
  let reason: unknown;
  const onWaiting = (why: unknown) => {
    reason = why;
    waiting.resolve();
  };
  const open = () => {
    opening ??= run(ports, { host, notifier, emit, onWaiting }, closing.signal);
    return opening;
  };
  /** Whoever asks while jobs cannot be opened is told why, and does not wait. */
  const opened = async () => {
    const running = await Promise.race([open(), waiting.promise]);
    if (running === undefined) throw reason;
    return running;
  };
  const openSoon = () =>
    void open().catch((error) => {
      if (closing.signal.aborted) return;
      // A program that is too old for its database is for a person to mend, and no defect.
      const isRefusal = error instanceof HostError && error.code === 'settings_invalid';
      const message = 'Hooks and mail do not run. Correct this, and start the program again.';
      notifier.notify(
        isRefusal
          ? { level: 'error', message, detail: error.message }
          : faultNotice('Hooks cannot be run', error),
      );
    });
  const hasMailbox = () => host.servers.settings.mail !== null;
  const isWanted = () =>
    openSharedJobs !== undefined || existsSync(hooksFile) || existsSync(jobsFile) || hasMailbox();
  const unsubscribe = host.events.subscribe(({ kind }) => {
    if (kind === 'settings-changed' && opening === undefined && hasMailbox()) openSoon();
  });
  // After the program said that it is ready: no vault starts slower for its hooks.
  const soon = setImmediate(() => {
    if (isWanted()) openSoon();
    else void waitFor(hooksFile, closing.signal).then((isThere) => isThere && openSoon());
  });
  return {
    async request({ service, method, params }, signal) {
      if (service === 'jobs') {
        const jobs = opening !== undefined || isWanted() ? (await opened()).jobs : undefined;
        return answerJobs(jobs, method, params);
      }
      if (service === 'hooks') {
        const { hooks } = await opened();
        // Whoever gave up while hooks were being opened was told that nothing happened.
        signal.throwIfAborted();
        return explainRefusal(hooks.service.answer(method, params, signal));
      }
      if (service === 'mail') {
        const { mail } = await opened();
        signal.throwIfAborted();
        return explainRefusal(mail.service.answer(method, params, signal));
      }
      throw new HostError('settings_invalid', `There is no service "${service}".`);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      unsubscribe();
      clearImmediate(soon);
      const running = await opening?.catch(() => undefined);
      await running?.[Symbol.asyncDispose]();
    },
  };
}

interface Running extends AsyncDisposable {
  readonly jobs: JobEngine;
  readonly hooks: OpenHooks;
  readonly mail: OpenMail;
}

async function run(
  ports: VaultServicesPorts,
  {
    host,
    notifier,
    emit,
    onWaiting,
  }: OpenServicesPorts & {
    readonly onWaiting: (reason: unknown) => void;
  },
  signal: AbortSignal,
): Promise<Running> {
  const { openHooks } = await import('./open-hooks.ts');
  const { openMail } = await import('./open-mail.ts');
  const hooks = await openHooks({ ...ports, host, notifier });
  const { engine } = hooks;
  try {
    const onFault = (error: unknown) => notifier.notify(faultNotice('A job failed', error));
    const mail = await openMail({
      ...ports,
      host,
      notifier,
      emit(event) {
        emit({ service: 'mail', event: { ...event } });
        tellHooks(event, engine);
      },
      runHook: async (hook, fields) => {
        await hooks.service.answer('run', { hook, fields }, signal);
      },
    });
    const flows = { hook: engine.flow, ...mail.room.flows };
    const options = { flows, concurrency: jobsAtOnce, onFault };
    const { openSharedJobs, jobsFile } = ports;
    const jobs =
      openSharedJobs === undefined
        ? await openJobs(jobsFile, options, signal)
        : await openSharedJobs(options, { notifier, onWaiting, signal });
    ports.onJobs?.(jobs);
    await engine.start(jobs);
    engine.events.subscribe((event) => emit({ service: 'hooks', event: { ...event } }));
    const kept = host.servers.settings.logDays * 86_400_000;
    await jobs.prune(Date.now() - kept);
    mail.room.start(jobs);
    return {
      jobs,
      hooks,
      mail,
      async [Symbol.asyncDispose]() {
        await mail.room[Symbol.asyncDispose]();
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

/** In memory where there is no SQLite. Waits for an owner that was replaced because it stood still: it has the file open until it goes on, or ends. */
async function openJobs(
  file: string,
  options: JobsOptions,
  signal: AbortSignal,
): Promise<JobEngine> {
  const { hasSqlite, JobsError, memoryStore, sqliteStore, StoredJobs } = await import(
    '@errand/jobs'
  );
  if (!hasSqlite()) return StoredJobs.open(memoryStore(), options);
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
