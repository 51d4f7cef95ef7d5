import { duration } from '@errand/document/display';
import type { LoggedCall } from '@errand/host';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { positiveNumber } from '../positive-number.ts';
import { table } from '../table.ts';

interface HistoryOptions extends CommonOptions {
  readonly limit: number;
  readonly server?: string;
  readonly note?: string;
}

/** `errand history`: the call log, newest first. */
export function historyCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('history')
      .description('Show the calls that were made, newest first.')
      .option('--limit <n>', 'how many', positiveNumber, 20)
      .option('--server <name>', 'only calls to this server')
      .option('--note <path>', 'only calls from this note, by its path in the vault'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  errand history --limit 5\n  errand history --note Welcome.md --json',
    )
    .action(async (options: HistoryOptions) => {
      const { terminal, signal } = context;
      const { limit, server, note } = options;
      await using vault = await openVault(options, context, personAt(terminal));
      const filter = { limit, ...(server && { server }), ...(note && { note }) };
      const calls = await vault.log.query(filter, signal);
      if (options.json) terminal.stdout.write(`${JSON.stringify({ calls }, undefined, 2)}\n`);
      else if (calls.length === 0)
        terminal.stdout.write(server || note ? 'No such calls.\n' : 'No calls yet.\n');
      else terminal.stdout.write(table(calls.map(describeCall)));
      context.end(exitCode.ok);
    });
}

function describeCall(call: LoggedCall): readonly string[] {
  const { submittedAt, server, tool, note, line, status, durationMs, source, error } = call;
  const time = new Date(submittedAt).toISOString().replace('T', ' ').slice(0, 19);
  const place = note === null ? source : `${note}${line === null ? '' : `:${line}`}`;
  const outcome = error === null ? status : `${status} (${error.code})`;
  return [time, `${server} ${tool}`, place, outcome, duration(durationMs)];
}
