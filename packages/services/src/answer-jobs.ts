import { HostError } from '@errand/host';
import type { JobDetails, JobEngine, JobInfo, JobState } from '@errand/jobs';
import type { JsonObject } from '@errand/wire';

/** What can be asked of the jobs of a vault, and what comes back. */
export interface JobsMethods {
  list: { readonly jobs: readonly JobInfo[] };
  show: JobDetails;
  cancel: JobDetails;
  retry: JobDetails;
}

/** Answers a request about the jobs of a vault; without an engine there are none. */
export async function answerJobs(
  jobs: JobEngine | undefined,
  method: string,
  params: JsonObject,
): Promise<JobsMethods[keyof JobsMethods]> {
  if (method === 'list') {
    const { flow, state, limit } = params as { flow?: string; state?: JobState; limit?: number };
    const query = { ...(flow && { flow }), ...(state && { state }), ...(limit && { limit }) };
    return { jobs: (await jobs?.list(query)) ?? [] };
  }
  const job = await findJob(jobs, String(params.id));
  if (method === 'cancel') {
    if (!(await jobs?.cancel(job.id)))
      throw refused(`The job ${job.id} has ended already (${job.state}).`);
  } else if (method === 'retry') {
    if (job.state !== 'failed' && job.state !== 'cancelled') {
      throw refused(
        `The job ${job.id} is ${job.state}; only a failed or cancelled one is retried.`,
      );
    }
    await jobs?.retry(job.id);
  } else if (method !== 'show') throw refused(`Jobs do not know "${method}".`);
  return (await jobs?.status(job.id)) ?? job;
}

/** By its id, or the beginning of it where no other job begins so. */
async function findJob(jobs: JobEngine | undefined, id: string): Promise<JobDetails> {
  const exact = await jobs?.status(id);
  if (exact !== undefined) return exact;
  const alike = ((await jobs?.list({ limit: 10_000 })) ?? []).filter((job) =>
    job.id.startsWith(id),
  );
  const [only] = alike;
  const found = alike.length === 1 && only ? await jobs?.status(only.id) : undefined;
  if (found !== undefined) return found;
  throw refused(
    alike.length > 1
      ? `Several jobs begin with "${id}". Write more of it.`
      : `There is no job "${id}".`,
  );
}

function refused(message: string): HostError {
  return new HostError('settings_invalid', message);
}
