import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../../../..');
const cache = join(project, '.cache/obsidian-plugin');
const aDay = 24 * 60 * 60 * 1_000;

let built: Promise<string> | undefined;

/** The folder with the plugin as it is released, and the page it is tried in; built again only after a change. */
export function builtPlugin(): Promise<string> {
  built ??= findOrBuild();
  return built;
}

async function findOrBuild(): Promise<string> {
  const folder = join(cache, keyOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  forgetOldOnes();
  const building = mkdtempSync(join(cache, 'building-'));
  // The bundler is only loaded when there is something to build.
  const { buildHarness } = await import('./build-harness.ts');
  await buildHarness(building);
  try {
    renameSync(building, folder);
  } catch (error) {
    // Another process was first, and has built the same.
    if (!existsSync(folder)) throw error;
    rmSync(building, { recursive: true });
  }
  return folder;
}

/** Changes with everything that is built, the bundler and the libraries too. */
function keyOfSources(): string {
  const sources = ['apps/obsidian', 'packages/*'].flatMap((home) => [
    `${home}/*.{css,json,ts}`,
    `${home}/src/**/*.{css,json,ts}`,
  ]);
  const isBuilt = (path: string) => !path.endsWith('.test.ts');
  const paths = [...globSync(sources, { cwd: project }).filter(isBuilt), 'package-lock.json'];
  const hash = createHash('sha256');
  for (const path of paths.sort())
    hash.update(`${path}\n`).update(readFileSync(join(project, path)));
  return hash.digest('hex').slice(0, 16);
}

function forgetOldOnes(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > aDay) rmSync(path, { recursive: true, force: true });
  }
}
