import { fileStamp, readIfExists } from '@errand/files';
import {
  createServerDiscovery,
  type ForeignFileReader,
  foreignConfigFiles,
  type ServerDiscovery,
} from '@errand/host';
import { currentPlatform } from './current-platform.ts';

/** Finds the servers of other programs on this machine, and in the vault; `isWanted` chooses the programs. */
export function openServerDiscovery(
  vaultFolder: string,
  isWanted: (program: string) => boolean = () => true,
): ServerDiscovery {
  const platform = currentPlatform();
  return createServerDiscovery({
    files: foreignConfigFiles(platform, vaultFolder).filter(({ program }) => isWanted(program)),
    reader: foreignFileReader,
    target: { os: platform.os, vaultFolder },
    now: Date.now,
  });
}

/** Reads other programs' files from this machine's disk. */
export const foreignFileReader: ForeignFileReader = { read: readIfExists, stamp: fileStamp };
