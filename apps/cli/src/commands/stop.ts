import { HostError } from '@errand/host';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { describeUnheard, visitVault } from '../visit-vault.ts';

/** `errand stop`: ends the calls of every program on the vault. */
export function stopCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('stop').description(
      'End the calls of every program on the vault, and refuse new ones.',
    ),
  )
    .addHelpText(
      'after',
      `
Servers go on running. New calls are refused in every program on the vault until: errand resume
A command that runs privately, with --trust or while nobody owns the vault, is ended with Ctrl-C.

Examples:
  errand stop
  errand stop --vault ~/notes`,
    )
    .action((options: CommonOptions) => order('stop', options, context));
}

/** `errand resume`: lets calls run again after a stop. */
export function resumeCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('resume').description(
      'Let calls run again after they were stopped, in any program.',
    ),
  )
    .addHelpText('after', '\nExamples:\n  errand resume\n  errand resume --vault ~/notes')
    .action((options: CommonOptions) => order('resume', options, context));
}

async function order(
  wanted: 'stop' | 'resume',
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const { stdout } = context.terminal;
  const { folder: vault, visit } = await visitVault(options, context, { order: wanted });
  if (visit.status === 'silent' || visit.status === 'other-version') {
    throw new HostError('owner_lost', describeUnheard(visit));
  }
  const isOwned = visit.status === 'answered';
  const stopped = isOwned && visit.report.isStopped;
  const json = { vault, isOwned, stopped };
  if (options.json) stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  else if (!isOwned) stdout.write('Nothing runs: no program owns this vault.\n');
  else if (stopped) stdout.write('Calls are stopped. Let them run again with: errand resume\n');
  else stdout.write('Calls run again.\n');
  context.end(exitCode.ok);
}
