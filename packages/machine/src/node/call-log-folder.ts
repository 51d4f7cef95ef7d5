import { type LocatedFile, openContainedRoot, openFolder } from '@errand/files';

/** Where the lines of the log are, and where the results are that had no room in a note. */
export const logPaths = {
  calls: ['.errand', 'log'],
  results: ['.errand', 'log', 'results'],
} as const;

/** One of these folders, held open. */
export interface LogFolder extends Disposable, Pick<LocatedFile, 'root' | 'folder'> {}

/** Opens a folder of the log and makes it when it is missing. No link is followed on the way. */
export function makeLogFolder(vault: string, part: keyof typeof logPaths): LogFolder {
  return open(vault, part, true);
}

/** Opens a folder of the log if it is there. */
export function findLogFolder(vault: string, part: keyof typeof logPaths): LogFolder | undefined {
  try {
    return open(vault, part, false);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'missing' || code === 'ENOENT') return undefined;
    throw error;
  }
}

function open(vault: string, part: keyof typeof logPaths, create: boolean): LogFolder {
  const root = openContainedRoot(vault);
  const mode = part === 'results' ? 0o700 : 0o777;
  const folder = openFolder(root, logPaths[part], { links: 'none', create, mode });
  return { root, folder, [Symbol.dispose]: folder[Symbol.dispose] };
}
