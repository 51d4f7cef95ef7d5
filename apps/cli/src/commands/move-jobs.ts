import { existsSync } from 'node:fs';
import { HostError } from '@errand/host';
import { vaultState } from '@errand/services/state';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import {
  type DatabaseFlags,
  databaseRefusal,
  neededDatabase,
  withDatabaseOptions,
} from '../job-database.ts';
import { vaultFolder } from '../open-vault.ts';

/** `errand jobs move`: the jobs of this machine's file go on in a database. */
export function moveCommand(context: CommandContext): Command {
  const command = new Command('move').description(
    'Move the jobs of this vault from their file to a database, with what is done of them.',
  );
  return withCommonOptions(withDatabaseOptions(command)).action(
    async (options: CommonOptions & DatabaseFlags) => {
      await moveJobsOf(options, context);
      context.end(exitCode.ok);
    },
  );
}

async function moveJobsOf(
  options: CommonOptions & DatabaseFlags,
  { terminal }: CommandContext,
): Promise<void> {
  const { cwd, env, stdout } = terminal;
  const folder = await vaultFolder(options, cwd, cwd);
  const { url, space } = neededDatabase(options, folder);
  const { jobsFile } = await vaultState(folder, env);
  if (!existsSync(jobsFile)) {
    const message = `This vault has no jobs in a file${existsSync(`${jobsFile}.moved`) ? ': they were moved before' : ''}.`;
    throw new HostError('settings_invalid', message);
  }
  const { moveJobs } = await import('@errand/jobs/postgres');
  const moved = await moveJobs(jobsFile, { url, space }).catch(async (error) => {
    throw await databaseRefusal(error);
  });
  if (options.json) stdout.write(`${JSON.stringify({ ...moved, space }, undefined, 2)}\n`);
  else {
    stdout.write(
      `${moved.jobs} jobs are in the database now, in the space ${space}; ${moved.unfinished} of them go on there. ` +
        `The file is kept as ${moved.keptAs}. From now on start: errand up --database URL --space ${space}\n`,
    );
  }
}
