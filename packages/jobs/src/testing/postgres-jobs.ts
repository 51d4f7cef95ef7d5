import { basename } from 'node:path';
import { PostgresJobs } from '../postgres/postgres-jobs.ts';
import type { OpenJobs } from './jobs-conformance.ts';

/** Opens the engine on the PostgreSQL of the tests; jobs of one folder are in one space. */
export const openJobs: OpenJobs = (folder, options) =>
  PostgresJobs.open({
    url: process.env.ERRAND_TEST_POSTGRES ?? '',
    space: basename(folder),
    // A killed program is waited for only briefly; others must not seem dead on a busy machine.
    leaseMs: Number(process.env.ERRAND_TEST_LEASE_MS ?? 8_000),
    ...options,
  });
