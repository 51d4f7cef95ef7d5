import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../../command-context.ts';
import { bridgeCommand } from './bridge-hooks.ts';
import {
  addHookCommand,
  editHookCommand,
  exportHooksCommand,
  importHooksCommand,
  removeHookCommand,
  switchHookCommand,
} from './change-hooks.ts';
import { listHooks, showHookCommand } from './list-hooks.ts';
import {
  cancelHookCommand,
  emitHookCommand,
  logHooksCommand,
  rerunHookCommand,
  runHookCommand,
} from './run-hooks.ts';
import { testHookCommand, whyHookCommand } from './test-hooks.ts';

/** `errand hooks`: what runs by itself when something happens. */
export function hooksCommand(context: CommandContext): Command {
  const list = (options: CommonOptions) => listHooks(options, context);
  const command = withCommonOptions(
    new Command('hooks').description(
      'Show the hooks of this vault: what runs by itself when something happens.',
    ),
  )
    .addHelpText(
      'after',
      `
A hook runs its actions when an event comes that fits its trigger and all its conditions. Hooks are in .errand/hooks.json and
run in the program that owns the vault: errand up, serve or gateway.

Examples:
  errand hooks add "Tell the channel" --on file --glob "Inbox/*.md" --call chat/post --set "text=New: {{ fileName }}"
  errand hooks add "Evening commit" --on schedule --cron "0 20 * * *" --commit "notes: {{ timestamp }}"
  errand hooks add "Failed calls" --on call --status error -- notify-send "A call failed"
  errand hooks test "Tell the channel"
  errand hooks why "Tell the channel"`,
    )
    .action(list);
  const same = new Command('list').alias('ls').description('The same as without a subcommand.');
  const subcommands = [
    same.action(list),
    showHookCommand(context),
    addHookCommand(context),
    editHookCommand(context),
    switchHookCommand('enable', context),
    switchHookCommand('disable', context),
    removeHookCommand(context),
    runHookCommand(context),
    testHookCommand(context),
    whyHookCommand(context),
    logHooksCommand(context),
    rerunHookCommand(context),
    cancelHookCommand(context),
    emitHookCommand(context),
    bridgeCommand(context),
    importHooksCommand(context),
    exportHooksCommand(context),
  ];
  for (const each of subcommands) command.addCommand(withCommonOptions(each));
  return passOptionsOn(command);
}
