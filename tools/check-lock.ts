import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  entriesWithHosts,
  type LockFile,
  type Manifest,
  missingPlatformPackages,
  staleEntries,
  unpinnedEntries,
} from './lock-file.ts';

const lock = readJson<LockFile>('package-lock.json');
const manifests = Object.fromEntries(
  ['package.json', ...globSync('{packages,servers,apps}/*/package.json')].map((path) => [
    path === 'package.json' ? '' : dirname(path).replaceAll('\\', '/'),
    readJson<Manifest>(path),
  ]),
);
const problems = [
  ...staleEntries(lock, manifests),
  ...Object.keys(missingPlatformPackages(lock)).map((path) => `${path} is missing from the lock.`),
  ...entriesWithHosts(lock).map((path) => `${path} names a download host.`),
  ...unpinnedEntries(lock).map((path) => `${path} has no integrity.`),
];

for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.log('The lock file does not fit the manifests. Mend it with: npm run lock');
  process.exitCode = 1;
}

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, 'utf8')) as Value;
}
