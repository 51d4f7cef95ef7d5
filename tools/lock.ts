import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  completeLock,
  entriesWithoutIntegrity,
  type LockFile,
  missingPlatformPackages,
} from './lock-file.ts';

// Run after any change of a dependency: npm resolves, this completes what the registry withheld.
const shell = process.platform === 'win32';
const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { stdio: 'inherit', shell });
if (npm.status !== 0) process.exit(npm.status ?? 1);

const path = 'package-lock.json';
const resolved = JSON.parse(readFileSync(path, 'utf8')) as LockFile;
const added = Object.keys(missingPlatformPackages(resolved)).length;
const lock = completeLock(resolved);
const unpinned = entriesWithoutIntegrity(lock);
const integrities = await Promise.all(unpinned.map(([, name]) => integrityOf(name)));
unpinned.forEach(([entry], index) => {
  const integrity = integrities[index];
  if (integrity) lock.packages[entry] = { ...lock.packages[entry], integrity };
});
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
const withheld = integrities.filter((integrity) => integrity === undefined).length;
console.log(
  `${path}: ${added} platform packages added, ${unpinned.length - withheld} pinned by integrity, ${withheld} not known to this registry.`,
);

/** Undefined when the registry does not serve the package. */
async function integrityOf(name: string): Promise<string | undefined> {
  try {
    const args = ['view', '--json', name, 'dist.integrity'];
    const { stdout } = await promisify(execFile)('npm', args, { shell, timeout: 120_000 });
    const answer: unknown = JSON.parse(stdout || 'null');
    return typeof answer === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}
