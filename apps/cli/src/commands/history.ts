import { duration } from '@errand/document/display';
import { HostError, type LoggedCall, type LoggedCallDetails } from '@errand/host';
import { readHistory, readSince } from '@errand/workspace/activity';
import { Command, InvalidArgumentError } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { markLines } from '../mark-lines.ts';
import { messageText } from '../message-text.ts';
import { openVault } from '../open-vault.ts';
import { outcomeTones, paintColumn } from '../paint.ts';
import { personAt } from '../person.ts';
import { positiveNumber } from '../positive-number.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface HistoryOptions extends CommonOptions {
  readonly limit: number;
  readonly server?: string;
  readonly note?: string;
  readonly failed?: boolean;
  readonly since?: number;
}

/** `errand history`: the call log, newest first, and one call in full. */
export function historyCommand(context: CommandContext): Command {
  const command = withCommonOptions(
    new Command('history')
      .description('Show the calls that were made, newest first.')
      .option('--limit <n>', 'how many', positiveNumber, 20)
      .option('--server <name>', 'only calls to this server')
      .option('--note <path>', 'only calls from this note, by its path in the vault')
      .option('--failed', 'only calls that failed or took too long')
      .option('--since <time>', 'only calls since then: 30m, 2h, 3d, or a date', sinceOption),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand history --limit 5
  errand history --failed --since 2h
  errand history show 3f9c2a81
  errand history --note Welcome.md --json`,
    )
    .action(async (options: HistoryOptions) => {
      const { terminal, signal } = context;
      const { limit, server, note, failed, since } = options;
      await using vault = await openVault(options, context, personAt(terminal));
      const filter = {
        ...(server && { server }),
        ...(note && { note }),
        ...(failed && { isFailed: true }),
        ...(since !== undefined && { since }),
      };
      const { calls } = await readHistory(vault.log, { ...filter, limit }, signal);
      const isFiltered = Object.keys(filter).length > 0;
      if (options.json) terminal.stdout.write(`${JSON.stringify({ calls }, undefined, 2)}\n`);
      else if (calls.length === 0)
        terminal.stdout.write(isFiltered ? 'No such calls.\n' : 'No calls yet.\n');
      else {
        const tones = calls.map(({ status }) => outcomeTones[status]);
        const paint = paintColumn(terminal.stdout.paint, 3, tones);
        terminal.stdout.write(table(calls.map(describeCall), paint));
      }
      context.end(exitCode.ok);
    });
  command.addCommand(withCommonOptions(showCommand(context)));
  return passOptionsOn(command);
}

/** `errand history show`: everything that the log has of one call. */
function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show one call in full, with its error.')
    .argument('<id>', 'the id of a call, or its beginning')
    .action(async (id: string, options: CommonOptions) => {
      const { terminal, signal } = context;
      await using vault = await openVault(options, context, personAt(terminal));
      const call = await vault.log.find(id, signal);
      if (call === undefined) {
        throw new HostError(
          'settings_invalid',
          `The log has no call "${id}". See its calls with: errand history`,
        );
      }
      terminal.stdout.write(
        options.json ? `${JSON.stringify(call, undefined, 2)}\n` : describeInFull(call, terminal),
      );
      context.end(exitCode.ok);
    });
}

function describeCall(
  call: Omit<LoggedCall, 'resultBytes' | 'error'> & CallEnd,
): readonly string[] {
  const { id, server, tool, note, line, status, durationMs, source, error } = call;
  const place = note === null ? source : `${note}${line === null ? '' : `:${line}`}`;
  const outcome = error === null ? status : `${status} (${error.code})`;
  const shortId = id.slice(0, 8);
  return [timeOf(call), `${server} ${tool}`, place, outcome, duration(durationMs), shortId];
}

interface CallEnd {
  readonly error: Pick<NonNullable<LoggedCall['error']>, 'code' | 'message'> | null;
}

function describeInFull(call: LoggedCallDetails, { stdout }: Pick<Terminal, 'stdout'>): string {
  const { note, line, section, parameters, parameterNames, error, retryReasons } = call;
  const names = parameterNames.length === 0 ? 'none' : `${parameterNames.join(', ')} (not logged)`;
  const rows = [
    ['id', call.id],
    ['time', timeOf(call)],
    ['call', `${call.server} ${call.tool}`],
    ['from', call.source],
    ...(note === null ? [] : [['note', line === null ? note : `${note}:${line}`]]),
    ...(section.length === 0 ? [] : [['section', section.join(' > ')]]),
    ['status', call.status],
    ['took', duration(call.durationMs)],
    ['attempts', String(call.attempts)],
    ['answer', `${call.resultBytes} bytes`],
    ['parameters', parameters === null ? names : JSON.stringify(parameters)],
    ...(call.approval === null ? [] : [['approval', call.approval]]),
    ...(call.conversation === null ? [] : [['conversation', call.conversation]]),
    ...retryReasons.map((reason) => ['retried', reason]),
    ...(error === null ? [] : [['error', error.code]]),
  ];
  const said = error === null ? '' : messageText(error.message);
  if (call.lastOutput === null) return table(rows) + said;
  return `${table(rows)}${said}Last output of the server:\n${markLines(call.lastOutput, stdout)}`;
}

function timeOf({ submittedAt }: Pick<LoggedCall, 'submittedAt'>): string {
  return new Date(submittedAt).toISOString().replace('T', ' ').slice(0, 19);
}

function sinceOption(text: string): number {
  const time = readSince(text, Date.now());
  if (time !== undefined) return time;
  throw new InvalidArgumentError('Use 90s, 30m, 2h or 3d, or a date such as 2026-11-16.');
}
