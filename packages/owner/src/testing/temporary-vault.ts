import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LeaseFolder, leaseFolder } from '../lease/lease-folder.ts';

/** A vault and a state folder of its own for a test. */
export interface TemporaryVault extends AsyncDisposable {
  readonly path: string;
  readonly vault: string;
  readonly state: string;
  readonly lease: LeaseFolder;
}

export async function temporaryVault(): Promise<TemporaryVault> {
  const path = await mkdtemp(join(tmpdir(), 'errand-lease-'));
  const vault = join(path, 'vault');
  const state = join(path, 'errand');
  await mkdir(vault);
  return {
    path,
    vault,
    state,
    lease: await leaseFolder(vault, { state }, {}),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
