import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { entriesWithHosts, type LockFile, missingPlatformPackages } from './platform-packages.ts';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
const problems = [
  ...Object.keys(missingPlatformPackages(lock)).map((path) => `${path} is missing from the lock.`),
  ...entriesWithHosts(lock).map((path) => `${path} names a download host.`),
];

// npm itself says whether the lock fits the manifests; nothing is fetched or installed.
const npm = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (npm.status !== 0) problems.push(npm.stderr.replace(/^npm warn .*\n/gm, '').trim());

for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.log('The lock file does not fit the manifests. Mend it with: npm run lock');
  process.exitCode = 1;
}
