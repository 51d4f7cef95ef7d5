import { memoryStore } from './memory-store.ts';
import { StoredJobs } from './stored-jobs.ts';
import { jobsConformance } from './testing/jobs-conformance.ts';

jobsConformance('in memory', async (_, options) => StoredJobs.open(memoryStore(), options), {
  survives: false,
});
