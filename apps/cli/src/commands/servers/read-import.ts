import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import {
  type ForeignFile,
  type ForeignProgramName,
  foreignConfigFiles,
  foreignPrograms,
  HostError,
  isForeignProgram,
} from '@errand/host';
import { currentPlatform, isInVault } from '@errand/machine/node';
import { type ImportableServers, mergeImportable, readImportable } from '@errand/workspace/servers';
import type { OpenVault } from '../../open-vault.ts';

/** The names of programs that servers can be imported from. Text that somebody pasted has none. */
export const importedPrograms = Object.keys(foreignPrograms).filter((name) => name !== 'pasted');

interface ReadServers extends ImportableServers {
  /** Files of the program that the vault brings along and that were not read. */
  readonly brought: readonly string[];
}

/**
 * The servers of a file, or of all files of a program. A program's name means the files of the user: what a vault
 * brings along under the same name is a stranger's, and has to be named as the file it is.
 */
export async function readImport(
  source: string,
  vault: OpenVault,
  cwd: string,
): Promise<ReadServers> {
  const platform = currentPlatform();
  const { os } = platform;
  if (!isForeignProgram(source)) {
    const path = resolve(cwd, source);
    const text = await readText(path);
    if (text === undefined) throw noSuchFile(source);
    const project = isInVault(path, vault.folder) ? { projectFolder: vault.folder } : {};
    return {
      ...(await readImportable(text, { os, file: source, ...project }, vault)),
      brought: [],
    };
  }
  const ofProgram = foreignConfigFiles(platform, vault.folder).filter(
    ({ program }) => program === source,
  );
  const own = ofProgram.filter(({ projectFolder }) => projectFolder === undefined);
  const paths = [...own.map(({ path }) => path), ...(await profilesOf(source, own))];
  const found: ImportableServers[] = [];
  for (const path of paths) {
    const text = await readText(path);
    if (text === undefined) continue;
    found.push(await readImportable(text, { os, file: path, program: source }, vault));
  }
  const theirs = ofProgram.filter((file) => !own.includes(file)).map(({ path }) => path);
  const texts = await Promise.all(theirs.map(readText));
  const brought = theirs
    .filter((_, index) => texts[index] !== undefined)
    .map((path) => relative(vault.folder, path));
  const merged = mergeImportable(found, vault.host);
  if (merged.servers.length + merged.problems.length > 0) return { ...merged, brought };
  throw noServers(foreignPrograms[source].title, paths, brought);
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

/** Says which file of the vault was not read. */
export function describeBrought(name: string): string {
  return `This vault brings one along: ${name}. Name that file if you want what is in it.`;
}

function noServers(title: string, paths: readonly string[], brought: readonly string[]): HostError {
  const places = paths.map((path) => `  ${path}`).join('\n');
  const theirs = brought.map((name) => `\n${describeBrought(name)}`);
  return new HostError(
    'settings_invalid',
    `${title} has no servers in any of its files:\n${places}${theirs.join('')}`,
  );
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function noSuchFile(source: string): HostError {
  return new HostError(
    'settings_invalid',
    `There is no file ${source}. Name a file, or a program: ${importedPrograms.join(', ')}`,
  );
}
