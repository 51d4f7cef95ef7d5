import { readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { parseHooks } from '@errand/hooks';
import { describeProblem, HostError, namedSecrets, type ServerConfig } from '@errand/host';
import {
  createProgramPath,
  findProgram,
  findServerProgram,
  findVaultFolder,
  openSettingsFile,
} from '@errand/machine/node';
import { visitOwner } from '@errand/owner';
import { vaultState } from '@errand/services/state';
import { openVaultSecrets } from '../open-secrets.ts';
import { resolveProgram } from '../own-programs.ts';
import { describeProgram } from '../visit-vault.ts';
import type { ServerFacts, VaultFacts } from './machine-facts.ts';

/** Looks at the settings of a vault, what they name, and who owns it. Starts nothing. */
export async function examineVault(
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<VaultFacts> {
  const { foundBy } = await findVaultFolder(folder);
  const file = openSettingsFile(folder);
  const owner = await lookAtOwner(folder, env, signal);
  const hookProblems = await lookAtHooks(folder);
  const isVault = foundBy !== 'here';
  const place = { folder, isVault, settings: file.name, hookProblems, ...owner };
  try {
    const settings = await file.load(signal);
    return {
      ...place,
      problems: settings.problems.map((problem) => ({
        level: problem.level,
        message: describeProblem(problem, file.name).message,
      })),
      servers: await lookAtServers(settings.mcpServers, folder, env),
      ...(await lookAtSecrets(namedSecrets(settings), folder)),
    };
  } catch (error) {
    // What cannot be read is a finding too.
    if (signal.aborted || !(error instanceof Error)) throw error;
    return {
      ...place,
      problems: [{ level: 'error', message: error.message }],
      servers: [],
      missingSecrets: [],
    };
  }
}

async function lookAtOwner(
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Pick<VaultFacts, 'owner' | 'ownedBy'>> {
  try {
    const { lease } = await vaultState(folder, env);
    const visit = await visitOwner(lease, { signal });
    if (visit.status === 'nobody') return { owner: visit.status };
    const program = 'report' in visit ? visit.report.owner : visit.owner;
    return { owner: visit.status, ownedBy: describeProgram(program) };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return { owner: 'unreachable', ownedBy: error.message };
  }
}

async function lookAtSecrets(
  names: readonly string[],
  folder: string,
): Promise<Pick<VaultFacts, 'missingSecrets' | 'secretProblem'>> {
  try {
    const secrets = await openVaultSecrets(folder);
    const known = await Promise.all(names.map((name) => secrets.get(name)));
    return { missingSecrets: names.filter((_, index) => known[index] === undefined) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { missingSecrets: [], secretProblem: error.message };
  }
}

async function lookAtHooks(folder: string): Promise<VaultFacts['hookProblems']> {
  try {
    const { problems } = parseHooks(await readFile(join(folder, '.errand/hooks.json'), 'utf8'));
    return problems.map(({ message, line }) => ({ message, line }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : [{ message }];
  }
}

async function lookAtServers(
  servers: readonly ServerConfig[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly ServerFacts[]> {
  const used = servers.filter(({ enabled }) => enabled);
  const terminal = createProgramPath(env);
  // What a program has that the desktop started, before it asks the login shell.
  const desktop = createProgramPath({ ...env, PATH: '/usr/bin:/bin' });
  return Promise.all(
    used.map(async (server): Promise<ServerFacts> => {
      const { name, deploymentType } = server;
      const { localConfig } = resolveProgram(server);
      if (localConfig === undefined) return { name, deploymentType };
      const find = (path: string) => findServerProgram(localConfig, { vaultFolder: folder, path });
      const [inTerminal, onDesktop] = await Promise.all(
        [terminal, desktop].map(async (place) =>
          find(await place((tried) => find(tried) !== undefined)),
        ),
      );
      const { command, args = [], sandbox } = localConfig;
      return {
        name,
        deploymentType,
        command,
        hasArguments: args.length > 0,
        lacksSandbox: sandbox !== undefined && !hasBubblewrap(env),
        ...(inTerminal !== undefined && { inTerminal }),
        ...(onDesktop !== undefined && { onDesktop }),
      };
    }),
  );
}

function hasBubblewrap({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  return findProgram('bwrap', PATH.split(delimiter).filter(isAbsolute)) !== undefined;
}
