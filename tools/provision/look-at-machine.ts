import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { knownPrograms, type Machine } from './plan.ts';

/** Reads off the machine what the plan decides on. */
export function lookAtMachine(env: NodeJS.ProcessEnv): Machine {
  const programs = Object.fromEntries(
    knownPrograms.flatMap((name) => {
      const path = findProgram(name, env);
      return path === undefined ? [] : [[name, path]];
    }),
  );
  const dockerHost = env.ERRAND_TEST_DOCKER_HOST;
  const chromium = env.ERRAND_TEST_CHROMIUM;
  const postgres = env.ERRAND_TEST_POSTGRES;
  const codeServer = env.ERRAND_TEST_CODE_SERVER;
  return {
    platform: process.platform,
    arch: process.arch,
    isRoot: process.getuid?.() === 0,
    hasApt: programs['apt-get'] !== undefined && existsSync('/etc/debian_version'),
    programs,
    given: {
      ...(dockerHost && { dockerHost }),
      ...(chromium && { chromium }),
      ...(postgres && { postgres }),
      ...(codeServer && { codeServer }),
    },
  };
}

/** Daemons live in folders that a person's PATH often lacks. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), ...systemFolders].filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
