import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is a folder or lies in it; links are not followed. */
export function isInFolder(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
