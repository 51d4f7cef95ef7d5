import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type LockFile, missingPlatformPackages } from './lock-file.ts';

// Run after any change of a dependency: npm resolves, this completes what the registry withheld.
const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (npm.status !== 0) process.exit(npm.status ?? 1);

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile;
const added = Object.keys(missingPlatformPackages(lock)).length;
writeFileSync(path, `${JSON.stringify(completeLock(lock), undefined, 2)}\n`);
console.log(added === 0 ? `${path} is complete.` : `${path}: ${added} platform packages added.`);
