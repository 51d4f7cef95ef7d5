import { stat } from 'node:fs/promises';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.ts';

/** Refuses to read or write the vault while its folder is missing, so that it is not recreated. */
export function needsVault(folder: string): MiddlewareHandler {
  return async (_, next) => {
    if (await isFolder(folder)) return next();
    const message = `The vault's folder ${folder} is gone. Put it back, and this goes on by itself; if it was moved, run errand serve where it is now.`;
    throw new ApiError('vault_missing', message);
  };
}

/** Whether there is a folder at a path now. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}
