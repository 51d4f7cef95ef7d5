import { delimiter, isAbsolute } from 'node:path';
import { describeProblem, namedSecrets, type ServerConfig } from '@errand/host';
import {
  createProgramPath,
  findProgram,
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
  const place = { folder, isVault: foundBy !== 'here', settings: file.name, ...owner };
  try {
    const settings = await file.load(signal);
    const secrets = await openVaultSecrets(folder);
    const missing = namedSecrets(settings).map(async (name) =>
      (await secrets.get(name)) === undefined ? [name] : [],
    );
    return {
      ...place,
      problems: settings.problems.map((problem) => ({
        level: problem.level,
        message: describeProblem(problem, file.name).message,
      })),
      servers: await lookAtServers(settings.mcpServers, env),
      missingSecrets: (await Promise.all(missing)).flat(),
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

async function lookAtServers(
  servers: readonly ServerConfig[],
  env: NodeJS.ProcessEnv,
): Promise<readonly ServerFacts[]> {
  const used = servers.filter(({ enabled }) => enabled);
  // What a program has that the desktop started, before it asks the login shell.
  const desktop = createProgramPath({ ...env, PATH: '/usr/bin:/bin' });
  return Promise.all(
    used.map(async (server): Promise<ServerFacts> => {
      const { name, deploymentType } = server;
      const command = resolveProgram(server).localConfig?.command;
      if (command === undefined) return { name, deploymentType };
      const inTerminal = find(command, env.PATH ?? env.Path ?? '');
      const path = await desktop((tried) => find(command, tried) !== undefined);
      const onDesktop = find(command, path);
      return {
        name,
        deploymentType,
        command,
        ...(inTerminal !== undefined && { inTerminal }),
        ...(onDesktop !== undefined && { onDesktop }),
      };
    }),
  );
}

/** The file that a command means with this PATH. */
function find(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return findProgram(command, ['/']);
  return findProgram(command, path.split(delimiter).filter(isAbsolute));
}
