import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readIfExists } from '@errand/files';
import {
  type ForeignFile,
  type ForeignProgramName,
  foreignConfigFiles,
  foreignPrograms,
  HostError,
  isForeignProgram,
} from '@errand/host';
import { currentPlatform, isInVault } from '@errand/machine/node';
import {
  type ImportableServer,
  type ImportableServers,
  mergeImportable,
  readImportable,
} from '@errand/workspace/servers';
import type { OpenVault } from '../../open-vault.ts';

/** The names of programs that servers can be imported from. Text that somebody pasted has none. */
export const importedPrograms = Object.keys(foreignPrograms).filter((name) => name !== 'pasted');

interface ReadServers extends ImportableServers {
  /** Whether a server is known only from a file that came with a folder, so that nobody here may have seen it. */
  isBrought(server: ImportableServer): boolean;
  /** Sentences about files of the program that came with a folder and were not read. */
  readonly leftOut: readonly string[];
}

/**
 * The servers of a file, or of all files of a program: those of the user first, then those that the vault and the
 * current folder bring along. The latter are a stranger's: without `readsBrought` they are only named.
 */
export async function readImport(
  source: string,
  vault: OpenVault,
  cwd: string,
  readsBrought: boolean,
): Promise<ReadServers> {
  const platform = currentPlatform();
  const { os } = platform;
  if (!isForeignProgram(source)) {
    const path = resolve(cwd, source);
    const text = await readText(path, source);
    if (text === undefined) throw noSuchFile(source);
    const project = isInVault(path, vault.folder) ? { projectFolder: vault.folder } : {};
    const read = await readImportable(text, { os, file: source, ...project }, vault);
    return { ...read, isBrought: () => false, leftOut: [] };
  }
  const filesIn = (folder?: string) =>
    foreignConfigFiles(platform, folder).filter(({ program }) => program === source);
  const own = filesIn();
  const paths = [...own.map(({ path }) => path), ...(await profilesOf(source, own))];
  const found: ImportableServers[] = [];
  for (const path of paths) {
    const text = await readText(path, path);
    if (text === undefined) continue;
    found.push(await readImportable(text, { os, file: path, program: source }, vault));
  }
  const brought = new Set<string>();
  const leftOut: string[] = [];
  for (const projectFolder of new Set([vault.folder, resolve(cwd)])) {
    for (const { path } of filesIn(projectFolder)) {
      if (paths.includes(path)) continue;
      const name = relative(cwd, path);
      try {
        const text = await readText(path, name);
        if (text === undefined) continue;
        if (!readsBrought) leftOut.push(describeLeftOut(name, projectFolder === vault.folder));
        else {
          const from = { os, file: name, program: source, projectFolder };
          found.push(await readImportable(text, from, vault));
          brought.add(name);
        }
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        // A file that came along must not keep a person from their own.
        found.push({ servers: [], problems: [error.message] });
      }
    }
  }
  const merged = mergeImportable(found, vault.host);
  if (merged.servers.length + merged.problems.length === 0)
    throw noServers(foreignPrograms[source].title, paths, leftOut);
  const isBrought = ({ origins }: ImportableServer) => brought.has(origins[0]?.file ?? '');
  return { ...merged, isBrought, leftOut };
}

/** Each profile of VS Code has a file of its own. */
async function profilesOf(
  program: ForeignProgramName,
  files: readonly ForeignFile[],
): Promise<readonly string[]> {
  if (program !== 'vscode') return [];
  const found = await Promise.all(
    files.map(async ({ path }) => {
      const folder = join(dirname(path), 'profiles');
      const names = await readdir(folder).catch(() => []);
      return names.toSorted().map((name) => join(folder, name, basename(path)));
    }),
  );
  return found.flat();
}

/** Says which file that came with a folder was not read. */
function describeLeftOut(name: string, isOfVault: boolean): string {
  const folder = isOfVault ? 'This vault' : 'The current folder';
  return `${folder} brings one along: ${name}. Name that file if you want what is in it.`;
}

function noServers(title: string, paths: readonly string[], leftOut: readonly string[]): HostError {
  const places = paths.map((path) => `  ${path}`).join('\n');
  const theirs = leftOut.map((sentence) => `\n${sentence}`);
  return new HostError(
    'settings_invalid',
    `${title} has no servers in any of its files:\n${places}${theirs.join('')}`,
  );
}

/** Neither waits for a pipe nor reads a device without an end. */
async function readText(path: string, name: string): Promise<string | undefined> {
  try {
    return await readIfExists(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HostError(
      'settings_invalid',
      `${name} cannot be read: ${reason}`,
      {},
      { cause: error },
    );
  }
}

function noSuchFile(source: string): HostError {
  return new HostError(
    'settings_invalid',
    `There is no file ${source}. Name a file, or a program: ${importedPrograms.join(', ')}`,
  );
}
