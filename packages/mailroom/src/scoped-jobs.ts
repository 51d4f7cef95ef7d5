import type { JobEngine, JobInfo } from '@errand/jobs';

/** Jobs of one of several that share an engine: their flows and ids are its own, and it sees no others. */
export function scopedJobs(jobs: JobEngine, scope: string): JobEngine {
  const inside = (name: string) => scopedName(scope, name);
  const isOwn = ({ flow }: JobInfo) => flow.endsWith(suffixOf(scope));
  const outside = <Job extends JobInfo>(job: Job): Job => ({
    ...job,
    id: withoutScope(job.id, scope),
    flow: withoutScope(job.flow, scope),
  });
  return {
    start: async (flow, input, { id, ...options } = {}) =>
      outside(
        await jobs.start(inside(flow), input, {
          ...options,
          ...(id !== undefined && { id: inside(id) }),
        }),
      ),
    signal: (id, topic, value) => jobs.signal(inside(id), topic, value),
    status: async (id) => {
      const job = await jobs.status(inside(id));
      return job && outside(job);
    },
    list: async ({ flow, ...query } = {}) => {
      const found = await jobs.list({
        ...query,
        ...(flow !== undefined && { flow: inside(flow) }),
      });
      return found.filter(isOwn).map(outside);
    },
    cancel: (id) => jobs.cancel(inside(id)),
    retry: (id) => jobs.retry(inside(id)),
    prune: (endedBefore) => jobs.prune(endedBefore),
    get load() {
      return jobs.load;
    },
    onChange: (listener) => jobs.onChange((job) => void (isOwn(job) && listener(outside(job)))),
    // The engine is somebody else's.
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The name of a flow or a job among those of others. */
export function scopedName(scope: string, name: string): string {
  return `${name}${suffixOf(scope)}`;
}

function suffixOf(scope: string): string {
  return ` of ${scope}`;
}

function withoutScope(name: string, scope: string): string {
  const suffix = suffixOf(scope);
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}
