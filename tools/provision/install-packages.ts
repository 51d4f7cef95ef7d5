import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockFile } from './file-lock.ts';
import { readProgram, runProgram } from './run-program.ts';

interface InstallOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Installs Debian packages without their recommendations and without starting any service. */
export async function installPackages(
  packages: readonly string[],
  { env, say, signal }: InstallOptions,
): Promise<void> {
  // Two checkouts may install at once; the folder itself is locked, so that no file of ours stays.
  await using _ = await lockFile('/var/lib/dpkg', { mode: 'exclusive', wait: true });
  using __ = refuseServices();
  const apt = (...args: string[]) =>
    runProgram('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      signal,
    });
  say(`Installing ${packages.join(', ')} (once)`);
  // Mends what an interrupted installation left; does nothing otherwise.
  await runProgram('dpkg', ['--configure', '-a'], { env, signal });
  const install = () => apt('install', '--yes', '--no-install-recommends', ...packages);
  if ((await areKnown(packages)) && (await install()) === 0) return;
  // Unknown packages, or lists so old that they name files which are gone.
  if ((await apt('update')) === 0 && (await install()) === 0) return;
  throw new Error(`apt-get could not install ${packages.join(', ')}; its output above says why`);
}

async function areKnown(packages: readonly string[]): Promise<boolean> {
  const policy = await readProgram('apt-cache', ['policy', ...packages]);
  return (
    policy
      .split('Candidate: ')
      .slice(1)
      .filter((at) => !at.startsWith('(none)')).length === packages.length
  );
}

const policyPath = '/usr/sbin/policy-rc.d';
const policy = '#!/bin/sh\n# Written by npm test while it installs packages.\nexit 101\n';

/** Debian asks this file before a package starts its service. A machine's own file stays as it is. */
function refuseServices(): Disposable {
  const isOurs = () => existsSync(policyPath) && readFileSync(policyPath, 'utf8') === policy;
  if (!existsSync(policyPath)) writeFileSync(policyPath, policy, { mode: 0o755, flag: 'wx' });
  return {
    [Symbol.dispose]() {
      if (isOurs()) rmSync(policyPath);
    },
  };
}
