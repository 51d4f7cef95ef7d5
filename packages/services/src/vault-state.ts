import { join } from 'node:path';
import { userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import { type LeaseFolder, leaseFolder } from '@errand/owner';

/** Where this user's state of one vault is kept, outside of the vault. */
export interface VaultState {
  readonly lease: LeaseFolder;
  readonly jobsFile: string;
}

/** Finds the state of a vault; makes nothing. */
export async function vaultState(folder: string, env: NodeJS.ProcessEnv): Promise<VaultState> {
  const folders = userFolders(currentPlatform());
  const lease = await leaseFolder(folder, folders, env);
  return { lease, jobsFile: join(folders.state, 'jobs', `${lease.hash}.sqlite`) };
}
