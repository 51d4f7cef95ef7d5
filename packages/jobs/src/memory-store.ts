import type { JobInfo, Json } from './job-engine.ts';
import type { JobStore, JobWriter, StoredStep } from './job-store.ts';

interface Kept {
  job: JobInfo;
  readonly steps: Map<string, StoredStep>;
}

/** Keeps jobs as long as this process lives, where there is no SQLite. */
export function memoryStore(): JobStore {
  const jobs = new Map<string, Kept>();
  const signals: { readonly job: string; readonly topic: string; readonly value: Json }[] = [];
  const all = () => [...jobs.values()].map(({ job }) => job);
  const hasEnded = ({ state }: JobInfo) => state !== 'queued' && state !== 'running';
  const writer: JobWriter = {
    add: (job) => void jobs.set(job.id, { job, steps: new Map() }),
    change(id, change) {
      const kept = jobs.get(id);
      if (kept === undefined) return;
      const fields = Object.entries({ ...kept.job, ...change }).filter(([, each]) => each !== null);
      kept.job = Object.fromEntries(fields) as unknown as JobInfo;
    },
    putStep: (job, step) => void jobs.get(job)?.steps.set(step.name, step),
    dropUnfinishedSteps(job) {
      const { steps } = jobs.get(job) ?? {};
      for (const step of [...(steps?.values() ?? [])]) {
        if (step.state !== 'done') steps?.delete(step.name);
      }
    },
    addSignal: (job, topic, value) => void signals.push({ job, topic, value }),
    takeSignal(job, topic) {
      const index = signals.findIndex((each) => each.job === job && each.topic === topic);
      return index < 0 ? undefined : signals.splice(index, 1)[0];
    },
    prune(endedBefore) {
      const old = all().filter((job) => hasEnded(job) && (job.endedAt ?? 0) < endedBefore);
      for (const { id } of old) jobs.delete(id);
      return old.length;
    },
  };
  return {
    find: (id) => jobs.get(id)?.job,
    steps: (id) => [...(jobs.get(id)?.steps.values() ?? [])],
    list: ({ flow, state, limit }) =>
      all()
        .filter((job) => (flow ?? job.flow) === job.flow && (state ?? job.state) === job.state)
        .reverse()
        .slice(0, limit),
    unfinished: () => all().filter((job) => !hasEnded(job)),
    startsSince: (flow, time) =>
      all()
        .filter((job) => job.flow === flow && (job.startedAt ?? 0) > time)
        .map(({ startedAt = 0 }) => startedAt),
    write: (work) => work(writer),
    [Symbol.dispose]: () => jobs.clear(),
  };
}
