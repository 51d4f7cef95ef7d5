import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The program of that name in the first of these folders that has it. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  const { platform, env } = process;
  return programCandidates(name, folders, platform, env.PATHEXT).find(isProgram);
}

/** The files that a name without a folder may stand for, the first one first. */
export function programCandidates(
  name: string,
  folders: readonly string[],
  os: string,
  pathExt = '.COM;.EXE;.BAT;.CMD',
): readonly string[] {
  if (os !== 'win32') return folders.map((folder) => posix.join(folder, name));
  const extensions = pathExt.split(';').filter((extension) => extension !== '');
  const hasOne = extensions.some((one) => name.toLowerCase().endsWith(one.toLowerCase()));
  const suffixes = hasOne ? ['', ...extensions] : extensions;
  return folders.flatMap((folder) => suffixes.map((suffix) => win32.join(folder, name + suffix)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
