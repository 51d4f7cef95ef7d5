import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import {
  type ForeignFile,
  foreignConfigFiles,
  foreignPrograms,
  HostError,
  isForeignProgram,
} from '@errand/host';
import { currentPlatform, isInVault } from '@errand/machine/node';
import { type ImportableServers, readImportable } from '@errand/workspace/servers';
import type { OpenVault } from '../../open-vault.ts';

/** The names of programs that servers can be imported from. Text that somebody pasted has none. */
export const importedPrograms = Object.keys(foreignPrograms).filter((name) => name !== 'pasted');

/**
 * The servers of a file, or of a program. A program's name means the files of the user: what a vault brings
 * along under the same name is a stranger's, and has to be named as the file it is.
 */
export async function readImport(
  source: string,
  vault: OpenVault,
  cwd: string,
): Promise<ImportableServers> {
  const platform = currentPlatform();
  const { os } = platform;
  if (!isForeignProgram(source)) {
    const path = resolve(cwd, source);
    const text = await readText(path);
    if (text === undefined) throw noSuchFile(source);
    const project = isInVault(path, vault.folder) ? { projectFolder: vault.folder } : {};
    return readImportable(text, { os, file: source, ...project }, vault);
  }
  const ofProgram = foreignConfigFiles(platform, vault.folder).filter(
    ({ program }) => program === source,
  );
  const files = ofProgram.filter(({ projectFolder }) => projectFolder === undefined);
  for (const { path } of files) {
    const text = await readText(path);
    if (text === undefined) continue;
    const config = await readImportable(text, { os, file: path, program: source }, vault);
    if (config.servers.length + config.problems.length > 0) return config;
  }
  const brought = ofProgram.filter((file) => !files.includes(file));
  throw await noServers(foreignPrograms[source].title, files, brought, vault.folder);
}

async function noServers(
  title: string,
  files: readonly ForeignFile[],
  brought: readonly ForeignFile[],
  vaultFolder: string,
): Promise<HostError> {
  const places = files.map(({ path }) => `  ${path}`).join('\n');
  const texts = await Promise.all(brought.map(({ path }) => readText(path)));
  const theirs = brought
    .filter((_, index) => texts[index] !== undefined)
    .map(({ path }) => relative(vaultFolder, path))
    .map(
      (name) => `\nThis vault brings one along: ${name}. Name that file if you want what is in it.`,
    );
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
