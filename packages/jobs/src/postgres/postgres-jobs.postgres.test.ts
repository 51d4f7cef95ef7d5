import { jobsConformance } from '../testing/jobs-conformance.ts';
import { openJobs } from '../testing/postgres-jobs.ts';

jobsConformance('on PostgreSQL', openJobs, {
  module: new URL('../testing/postgres-jobs.ts', import.meta.url),
});
