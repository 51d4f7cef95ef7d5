import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of others that are measured beside ours, if they are missing, and names the folder. */
export function installPeers(group: string, versions: Readonly<Record<string, string>>): string {
  const folder = join(import.meta.dirname, '..', '..', '.cache', group);
  const isThere = ([name, version]: [string, string]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  };
  const wanted = Object.entries(versions);
  if (wanted.every(isThere)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = wanted.map(([name, version]) => `${name}@${version}`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'ignore' });
  return folder;
}
