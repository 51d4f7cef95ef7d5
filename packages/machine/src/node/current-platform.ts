import { homedir } from 'node:os';
import type { Platform } from '@errand/host';

/** This machine, for the functions that compute places on disk. */
export function currentPlatform(): Platform {
  return { os: process.platform, home: homedir(), env: process.env };
}
