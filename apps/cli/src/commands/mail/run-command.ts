import { once } from 'node:events';
import { HostError } from '@errand/host';
import type { MailBoard, MailMethods } from '@errand/mailroom';
import type { JsonObject } from '@errand/wire';
import { Command, Option } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  withCommonOptions,
} from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { openVault } from '../../open-vault.ts';
import { startServers } from '../../start-servers.ts';
import { table } from '../../table.ts';
import { upLog } from '../../up-log.ts';
import { askOwner } from './ask-mail.ts';
import { describeBoard, inColumn, stateText } from './describe-board.ts';
import { jsonText } from './item-commands.ts';

interface RunOptions extends CommonOptions {
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly takeOver?: boolean;
  readonly take?: string;
}

type Ask = <Method extends keyof MailMethods>(
  method: Method,
  params: MailMethods[Method]['params'],
) => Promise<MailMethods[Method]['result']>;

/** `errand mail run`: fetches, decides and sends; for as long as it runs, or once. */
export function runCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('run')
      .description('Fetch mail, decide about it, and send what was approved.')
      .option('--once', 'one round, then end')
      .option(
        '--dry-run',
        'fetch up to 50 mails and decide about them, write no note and send nothing',
      )
      .option('--take-over', 'let this machine do it for this vault from now on')
      .addOption(
        new Option(
          '--take <which>',
          'at the first start, or later to take more: "new", or unread ones of the last days, such as "7d"',
        ),
      ),
  )
    .addHelpText(
      'after',
      `
Without --once it stays, owns the vault as "errand up" does, and looks for mail every two minutes. While another program owns
the vault, that one is asked for a round.

Examples:
  errand mail run --dry-run
  errand mail run --take new
  errand mail run --once --json`,
    )
    .action(async (options: RunOptions) => {
      const take = readTake(options.take);
      const board = await askOwner('board', { done: 0 }, options, context);
      if (board !== undefined) {
        const ask: Ask = async (method, params) => {
          const value = await askOwner(method, params, options, context);
          if (value === undefined)
            throw new HostError(
              'owner_lost',
              'The program that owns this vault has left. Try again.',
            );
          return value;
        };
        await runOnce({ ...options, once: true }, take, ask, context);
        return;
      }
      await runHere(options, take, context);
    });
}

/** Becomes the owner of the vault for this run. */
async function runHere(
  options: RunOptions,
  take: Take | undefined,
  context: CommandContext,
): Promise<void> {
  const { terminal, signal } = context;
  const log = upLog(terminal, options.json);
  await using vault = await openVault(options, context, {
    notifier: log,
    onFace: log.onFace,
    owner: 'up',
  });
  const { sharing } = vault;
  if (sharing?.role !== 'own') {
    throw new HostError(
      'vault_owned',
      'Another program owns this vault by now. Run the command again.',
    );
  }
  const ask: Ask = async (method, params) => {
    const request = { service: 'mail', method, params: { ...params } as JsonObject };
    return (await sharing.request(request, signal))?.value as never;
  };
  startServers(vault.host, log);
  await runOnce(options, take, ask, context);
  if (options.once || options.dryRun || signal.aborted) return;
  using _following = log.follow(vault.folder, vault.host, sharing);
  await once(signal, 'abort');
}

async function runOnce(
  options: RunOptions,
  take: Take | undefined,
  ask: Ask,
  context: CommandContext,
): Promise<void> {
  const { stdout, stderr } = context.terminal;
  const stays = options.once !== true && options.dryRun !== true;
  await claim(options, take, ask);
  if (options.dryRun && !options.json) stderr.write(dryRunText);
  const { round, decisions } = await ask('run', {
    dryRun: options.dryRun === true,
    wait: options.once === true,
  });
  const board = await ask('board', { done: 0 });
  if (options.json) stdout.write(jsonText({ round, decisions, board }));
  else if (options.dryRun) {
    const rows = decisions.map(({ from, subject, decision, reasoning }) => [
      decision,
      inColumn(from),
      inColumn(subject),
      reasoning,
    ]);
    stdout.write(rows.length === 0 ? 'No new mail.\n' : table(rows));
  } else if (stays) stdout.write(`${stateText(board)}${stayText}`);
  else stdout.write(describeBoard(board, true));
  context.end(exitCode.ok);
}

const dryRunText =
  'The model is asked about each unread mail, up to 50. That may take some minutes. No note is written, and nothing is sent.\n';

/** Its first round is still running: what waits then is not known yet. */
const stayText =
  'This stays, and looks for mail again and again. See what waits, in another terminal: errand mail. Ctrl-C ends this.\n';

/** Does what was said about which machine works and which mails it takes; throws when this one does nothing. */
async function claim(
  { takeOver, dryRun }: RunOptions,
  take: Take | undefined,
  ask: Ask,
): Promise<void> {
  let board = await ask('board', { done: 0 });
  // At the first start there is no machine to take over from.
  if (takeOver && (take === undefined || board.state !== 'first-start'))
    ({ board } = await ask('take-over', {}));
  if (take !== undefined) {
    refuse(board, ['elsewhere', 'shared']);
    ({ board } = await ask('begin', { take }));
  }
  refuse(board, dryRun ? ['off'] : ['off', 'first-start', 'elsewhere', 'shared', 'paused']);
}

function refuse(board: MailBoard, states: readonly MailBoard['state'][]): void {
  if (states.includes(board.state))
    throw new HostError('settings_invalid', stateText(board).trim());
}

type Take = MailMethods['begin']['params']['take'];

const mostDays = 3650;

function readTake(text: string | undefined): Take | undefined {
  if (text === undefined || text === 'new') return text;
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  if (days !== undefined && Number(days) <= mostDays) return { days: Number(days) };
  throw new HostError(
    'settings_invalid',
    `--take ${text} is neither "new" nor a number of days such as "7d", up to "${mostDays}d".`,
  );
}
