import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultNotice, HostError } from '@errand/host';
import type { JobEngine, JobsOptions } from '@errand/jobs';
import type { OpenServicesPorts, OwnerServices } from '@errand/owner';
import { answerJobs } from './answer-jobs.ts';
import type { VaultState } from './vault-state.ts';

/** What an owner runs besides the host of its vault. Nothing is opened before it is needed, or was left by an earlier owner. */
export function vaultServices(
  { jobsFile }: VaultState,
  { notifier }: OpenServicesPorts,
): OwnerServices {
  const closing = new AbortController();
  let opening: Promise<JobEngine> | undefined;
  const jobs = () => {
    opening ??= openJobs(jobsFile, { flows: {} }, closing.signal);
    return opening;
  };
  if (existsSync(jobsFile)) {
    jobs().catch((error) => {
      if (!closing.signal.aborted) notifier.notify(faultNotice('Jobs cannot be run', error));
    });
  }
  return {
    async request({ service, method, params }) {
      if (service !== 'jobs')
        throw new HostError('settings_invalid', `There is no service "${service}".`);
      return answerJobs(existsSync(jobsFile) ? await jobs() : undefined, method, params);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      const opened = await opening?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

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
