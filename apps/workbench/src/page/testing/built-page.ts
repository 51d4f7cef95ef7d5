import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const home = join(import.meta.dirname, '../../..');

/** The folder of the page built from the sources as they are now; several tests may ask for it at once. */
export async function builtPage(): Promise<string> {
  const folder = join(home, 'dist', `test-page-${fingerprint()}`);
  if (existsSync(folder)) return folder;
  const own = `${folder}.${randomUUID()}`;
  await build({
    configFile: join(home, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: own },
  });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Somebody else was quicker.
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = ['src/page/**', 'src/contract/**', '*.ts', 'package.json'];
  for (const path of globSync(sources, { cwd: home }).sort()) {
    const { mtimeMs, size } = statSync(join(home, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
