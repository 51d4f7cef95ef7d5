import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../../command-context.ts';
import {
  approveCommand,
  editCommand,
  logCommand,
  pauseCommand,
  rejectCommand,
  retryCommand,
  showBoard,
  showCommand,
  whyCommand,
} from './item-commands.ts';
import { loginCommands } from './login-commands.ts';
import { runCommand } from './run-command.ts';

/** `errand mail`: mail that becomes notes, and drafts that leave when a person says so. */
export function mailCommand(context: CommandContext): Command {
  const command = withCommonOptions(
    new Command('mail').description(
      'Show what mail waits for you, what will be sent and what failed.',
    ),
  )
    .addHelpText(
      'after',
      `
Mails become notes in Needs_Action, replies are drafted into Drafts, and what you approve leaves. You may as well move the
notes yourself: a draft in Approved is sent. The program that owns the vault does the work: errand up, serve, or mail run.

Examples:
  errand mail login --client ~/Downloads/client_secret.json
  errand mail run --take new
  errand mail
  errand mail show 18f2c0d1
  errand mail approve d4c1 --yes
  errand mail pause`,
    )
    .action((options: CommonOptions) => showBoard(options, context));
  const subcommands = [
    showCommand(context),
    approveCommand(context),
    rejectCommand(context),
    editCommand(context),
    retryCommand(context),
    whyCommand(context),
    logCommand(context),
    runCommand(context),
    pauseCommand('pause', context),
    pauseCommand('resume', context),
    ...loginCommands(context),
  ];
  for (const each of subcommands) command.addCommand(each);
  return passOptionsOn(command);
}
