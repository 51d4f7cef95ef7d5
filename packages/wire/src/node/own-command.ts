import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** How other programs start this one: by its name where the PATH has it for good, else by its place. */
export function ownCommand(
  name: string,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): readonly [string, ...string[]] {
  const isFound = PATH.split(delimiter)
    // npm and npx put such folders there only for the programs that they start.
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => isExecutable(join(folder, name)));
  if (isFound) return [name];
  const entry = process.argv[1] ?? '';
  const launcher = join(dirname(entry), '..', 'bin', `${name}.cjs`);
  return [process.execPath, existsSync(launcher) ? launcher : entry];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(process.platform === 'win32' ? `${path}.cmd` : path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
