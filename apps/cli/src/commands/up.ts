import { once } from 'node:events';
import { HostError } from '@errand/host';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { upLog } from '../up-log.ts';
import { describeProgram } from '../visit-vault.ts';

/** `errand up`: runs the servers of a vault for every program on it, without a face. */
export function upCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('up').description('Keep the servers of the vault running for every program on it.'),
  )
    .addHelpText(
      'after',
      `
Says on standard error what happens; with --json, as one JSON object per line on standard output. Ctrl-C ends it.
Other commands, the workbench and editors use its servers while it runs. See them with: errand status

Examples:
  errand up
  errand up --vault ~/notes --json`,
    )
    .action(async (options: CommonOptions) => {
      context.end(await up(options, context));
    });
}

async function up(options: CommonOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const log = upLog(terminal, options.json);
  const audience = { notifier: log, onFace: log.onFace, canAskCallers: true, owner: 'up' } as const;
  await using vault = await openVault(options, context, audience);
  const { folder, host, sharing } = vault;
  if (sharing?.role !== 'own') throw await notOwned(sharing);
  using _following = log.follow(folder, host, sharing);
  host.servers.start();
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

/** Why this program cannot own the vault. */
async function notOwned(sharing: OpenVault['sharing']): Promise<HostError> {
  const owner = (await sharing?.status())?.owner;
  const message =
    owner === undefined
      ? 'errand up cannot own this vault. The message before this one says why.'
      : `This vault is owned by ${describeProgram(owner)} already, which keeps its servers running. End that program first if errand up is to take its place.`;
  return new HostError('vault_owned', message);
}
