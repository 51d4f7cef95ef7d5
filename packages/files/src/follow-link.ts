import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import { isHidden } from './is-hidden.ts';

export interface LinkOptions {
  /**
   * Which symbolic links are followed: none, those that stay below the root, or of these only those
   * that lead to nothing hidden (the default).
   */
  readonly links?: 'none' | 'inside' | 'visible';
}

/** Links that lead to links are followed no further than this. */
export const maximumLinks = 16;

/** Where a symbolic link leads, as a path from the root; throws when it may not lead there. */
export function followLink(
  root: ContainedRoot,
  segments: readonly string[],
  { links = 'visible' }: LinkOptions = {},
): string[] {
  if (links === 'none') {
    throw new FilesError(
      'outside',
      segments,
      (path) =>
        `${path} is a symbolic link, and none is followed here. Put a real one in its place.`,
    );
  }
  const target = realPathOf(root, segments);
  if (target === undefined) {
    throw new FilesError(
      'outside',
      segments,
      (path) =>
        `${path} is a symbolic link that leaves the vault. Move its target into the vault to use it.`,
    );
  }
  if (links === 'visible' && target.some(isHidden)) {
    throw new FilesError(
      'outside',
      segments,
      (path) => `${path} is a symbolic link to something hidden, so it is not followed.`,
    );
  }
  return target;
}

/** The real path of an entry, as one from the root; undefined when it is outside. */
export function realPathOf(
  { root }: ContainedRoot,
  segments: readonly string[],
): string[] | undefined {
  let target: string;
  try {
    target = realpathSync.native(join(root, ...segments));
  } catch (cause) {
    throw new FilesError(
      'outside',
      segments,
      (path) =>
        `${path} is a symbolic link to something that does not exist, so it cannot be shown to stay in the vault.`,
      { cause },
    );
  }
  const inside = relative(root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`) || join(root, inside) !== target) {
    return undefined;
  }
  return inside === '' ? [] : inside.split(sep);
}

export function tooManyLinks(segments: readonly string[]): FilesError {
  return new FilesError(
    'outside',
    segments,
    (path) => `${path} goes through too many symbolic links.`,
  );
}
