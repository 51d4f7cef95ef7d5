import { matchesGlob } from '@errand/document';
import { isTemporaryName } from '@errand/files';
import { byFirstFolder } from './by-first-folder.ts';

/** Which files below a folder are watched, and which folders may hold one of them. */
export interface WatchedPaths {
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
}

/**
 * Watches what some globs mean. Hidden files and folders only where a glob names them; `.git`, `.errand`, packages,
 * temporary files and what is in `ignored` folders never.
 */
export function watchedPaths(
  globs: readonly string[],
  ignored: readonly string[] = [],
): WatchedPaths {
  const patternsFor = byFirstFolder(
    [...new Set(globs)].map((glob) => ({ glob, segments: glob.split('/') })),
  );
  const isLeftOut = (path: string) =>
    path.length > longestPath ||
    ignored.some((folder) => folder !== '' && (path === folder || path.startsWith(`${folder}/`))) ||
    path.split('/').some((name) => never.has(name) || name.endsWith('~') || isTemporaryName(name));
  return {
    isFile: (path) =>
      !isLeftOut(path) &&
      patternsFor(path).some(
        ({ glob, segments }) => areNamed(path.split('/'), segments) && matchesGlob(glob, path),
      ),
    isFolder: (path) =>
      path === '' ||
      (!isLeftOut(path) &&
        patternsFor(path).some(({ segments }) => mayHold(segments, path.split('/')))),
  };
}

const longestPath = 4_096;
const never: ReadonlySet<string> = new Set(['.git', '.errand', 'node_modules']);

/** Whether a folder may hold what a pattern means: its names fit the first segments of the pattern. */
function mayHold(pattern: readonly string[], folder: readonly string[]): boolean {
  if (!areNamed(folder, pattern)) return false;
  for (const [index, name] of folder.entries()) {
    const segment = pattern[index];
    if (segment?.includes('**')) return true;
    // The last segment means files.
    if (segment === undefined || index === pattern.length - 1) return false;
    if (!matchesGlob(segment, name)) return false;
  }
  return true;
}

/** Whether every hidden name of a path stands in the pattern as a hidden one. */
function areNamed(path: readonly string[], pattern: readonly string[]): boolean {
  return path.every(
    (name) =>
      !name.startsWith('.') ||
      pattern.some((segment) => segment.startsWith('.') && matchesGlob(segment, name)),
  );
}
