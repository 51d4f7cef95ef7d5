import { join } from 'node:path';
import { sqliteStore } from '../sqlite-store.ts';
import { StoredJobs } from '../stored-jobs.ts';
import type { OpenJobs } from './jobs-conformance.ts';

/** Opens the engine on SQLite in a folder. */
export const openJobs: OpenJobs = async (folder, options) =>
  StoredJobs.open(sqliteStore(join(folder, 'jobs.sqlite')), options);
