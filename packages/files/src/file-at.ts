import { mkdirSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { openContainedRoot } from './contained-root.ts';
import type { LocatedFile } from './open-file.ts';
import { openFolder } from './open-folder.ts';

/**
 * A file that a person or this program named by its whole path, behind all links and whether or not it
 * exists yet; its folder is made. Never for a path that a vault has a say in.
 */
export async function fileAt(path: string): Promise<LocatedFile> {
  const target = await followLinks(path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const root = openContainedRoot(dirname(target));
  const folder = openFolder(root, []);
  const name = basename(target);
  return { root, folder, name, segments: [name], [Symbol.dispose]: folder[Symbol.dispose] };
}

async function followLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let hops = 0; hops < 40; hops += 1) {
    const next = await readlink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw new Error(`${path} is a circle of symbolic links. Delete one of them.`);
}
