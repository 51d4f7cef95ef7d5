import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Building {
  /** The folder that sources are named from, and that has a `.cache` for what is built. */
  readonly home: string;
  readonly name: string;
  /** Patterns of all files that what is built depends on. */
  readonly sources: readonly string[];
  build(folder: string): Promise<unknown>;
}

/** The folder of something built from its sources as they are now; several processes may ask for it at once. */
export async function builtOnce({ home, name, sources, build }: Building): Promise<string> {
  const folder = join(home, '.cache', `${name}-${fingerprint(home, sources)}`);
  if (existsSync(folder)) return folder;
  removeOld(join(home, '.cache'), name);
  const own = `${folder}.${randomUUID()}`;
  await build(own);
  try {
    renameSync(own, folder);
  } catch (error) {
    // Somebody else was quicker.
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** What nobody has built for a day, nobody uses. */
function removeOld(folder: string, name: string): void {
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  for (const path of globSync(join(folder, `${name}-*`))) {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: yesterday };
    if (mtimeMs < yesterday) rmSync(path, { recursive: true, force: true });
  }
}

function fingerprint(home: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of globSync([...sources], { cwd: home }).sort()) {
    const { mtimeMs, size } = statSync(join(home, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
