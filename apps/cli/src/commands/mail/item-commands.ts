import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HostError, oneLine } from '@errand/host';
import type { MailDetails, MailItem } from '@errand/mailroom';
import { describeDraftMistake, describeMailReasons, mailStateLabels } from '@errand/workspace/mail';
import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  withCommonOptions,
} from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { messageText } from '../../message-text.ts';
import { positiveNumber } from '../../positive-number.ts';
import { table } from '../../table.ts';
import { askMail } from './ask-mail.ts';
import { describeBoard, describeDetails, inColumn, unowned, waitsFor } from './describe-board.ts';

const idArgument = [
  '<id>',
  'the id of a mail or a draft, its beginning, or the path of its note',
] as const;

/** Shows the board. */
export async function showBoard(options: CommonOptions, context: CommandContext): Promise<void> {
  const { value: board, isOwned, isServed } = await askMail('board', {}, options, context);
  const { stdout, stderr } = context.terminal;
  stdout.write(options.json ? jsonText({ isOwned, board }) : describeBoard(board, isOwned));
  // Where a program would change it too: everything else the board says itself.
  const isTold = isServed || board.state !== 'paused';
  if (!isTold && !options.json) stderr.write(unowned);
  context.end(exitCode.ok);
}

/** `errand mail show` */
export function showCommand(context: CommandContext): Command {
  return itemCommand('show', 'Show a mail and its draft: exactly what would leave.').action(
    async (id: string, options: CommonOptions) => {
      const { value } = await askMail('show', { id }, options, context);
      print(value, describeDetails(value, context.terminal.stdout), options, context);
    },
  );
}

/** `errand mail why` */
export function whyCommand(context: CommandContext): Command {
  return itemCommand('why', 'Say why a mail was treated as it was: rule, model, tokens.').action(
    async (id: string, options: CommonOptions) => {
      const { value } = await askMail('why', { id }, options, context);
      // Each fact on a line of its own: what a model or a sender wrote begins no other.
      const lines = [
        `${value.item.path}: ${mailStateLabels[value.item.state]}.`,
        ...describeMailReasons(value),
      ].map((line) => oneLine(line));
      const text = `${messageText(lines.join('\n'))}${historyText(value.history)}`;
      print(value, text, options, context);
    },
  );
}

interface ApproveOptions extends CommonOptions {
  readonly seen?: string;
  readonly yes?: boolean;
  readonly expired?: boolean;
}

/** `errand mail approve`: shows what leaves, and asks. */
export function approveCommand(context: CommandContext): Command {
  return itemCommand('approve', 'Approve a draft, so that it is sent.')
    .option('--yes', 'do not ask: approve the draft as it is now')
    .option('--seen <digest>', 'approve only the version that "show --json" named with "seen"')
    .option('--expired', 'approve it although it has waited too long')
    .action(async (id: string, options: ApproveOptions) => {
      const { terminal } = context;
      const { expired: evenExpired = false } = options;
      const { value: shown } = await askMail('show', { id }, options, context);
      const { draft } = shown;
      if (draft === undefined)
        throw refused(`${shown.item.path} has no draft that could be approved.`);
      if (draft.leaves === undefined)
        throw refused(incompleteText(draft, 'The draft was not approved.'));
      if (options.seen === undefined && options.yes !== true) {
        terminal.stderr.write(describeDetails({ item: draft.item, draft }, terminal.stderr));
        throw refused(
          `This would leave. Nothing was approved. Approve it with: errand mail approve ${id} --yes`,
        );
      }
      if (draft.approval === 'expired' && !evenExpired) {
        terminal.stderr.write(describeDetails({ item: draft.item, draft }, terminal.stderr));
        throw refused(
          `This draft has waited too long, so one word is not enough. Nothing was approved. Read it again, then approve it with: errand mail approve ${id} --yes --expired`,
        );
      }
      const { value } = await askMail(
        'approve',
        { id: draft.item.id, seen: options.seen ?? draft.seen, evenExpired },
        options,
        context,
      );
      print(value, itemText(value.item, 'Approved'), options, context);
      await sayWhatItWaitsFor(options, context);
    });
}

/** Says why nothing follows by itself. */
async function sayWhatItWaitsFor(options: CommonOptions, context: CommandContext): Promise<void> {
  if (options.json) return;
  const { value: board, isServed } = await askMail('board', { done: 0 }, options, context);
  context.terminal.stderr.write(waitsFor(board, isServed));
}

/** `errand mail reject` */
export function rejectCommand(context: CommandContext): Command {
  return itemCommand(
    'reject',
    'Reject a draft: it is never sent. Of a mail: put it into Done unanswered.',
  )
    .option('--reason <text>', 'why, for the log')
    .action(async (id: string, options: CommonOptions & { readonly reason?: string }) => {
      const { reason } = options;
      const { value } = await askMail(
        'reject',
        { id, ...(reason && { reason }) },
        options,
        context,
      );
      print(value, itemText(value.item, 'Put away'), options, context);
    });
}

interface EditOptions extends CommonOptions {
  readonly to?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly bodyFile?: string;
}

/** `errand mail edit` */
export function editCommand(context: CommandContext): Command {
  return itemCommand('edit', 'Change a draft. One that was approved waits for another approval.')
    .option('--to <addresses>')
    .option('--cc <addresses>')
    .option('--bcc <addresses>')
    .option('--subject <text>')
    .option('--body <text>')
    .option('--body-file <file>', 'read the body from a file')
    .action(async (id: string, options: EditOptions) => {
      const { to, cc, bcc, subject, bodyFile } = options;
      const body =
        bodyFile === undefined
          ? options.body
          : readFileSync(resolve(context.terminal.cwd, bodyFile), 'utf8');
      const fields = Object.entries({ to, cc, bcc, subject, body }).filter(
        ([, value]) => value !== undefined,
      );
      if (fields.length === 0) {
        throw refused('Say what to change: --to, --cc, --bcc, --subject, --body or --body-file.');
      }
      const { value: shown } = await askMail('show', { id }, options, context);
      if (shown.draft === undefined) throw refused(`${shown.item.path} has no draft.`);
      const { item, seen } = shown.draft;
      const change = { id: item.id, seen, ...Object.fromEntries(fields) };
      const { value } = await askMail('edit', change, options, context);
      print(value, describeDetails(value, context.terminal.stdout), options, context);
      const { draft } = value;
      if (draft === undefined || draft.leaves !== undefined) return;
      context.terminal.stderr.write(messageText(incompleteText(draft, 'The draft was changed.')));
      context.end(exitCode.failed);
    });
}

/** Why a draft cannot leave as it is, and what to do. */
function incompleteText(
  { item, mistakes }: NonNullable<MailDetails['draft']>,
  done: string,
): string {
  const wrong = mistakes
    .map((mistake) => describeDraftMistake(mistake).replace(/(?<![.!?])$/, '.'))
    .join(' ');
  const flags = mistakes.map(({ field }) => `--${field} …`).join(' ');
  const next = mistakes.some(({ field }) => field === 'frontmatter')
    ? `Correct them in ${item.path}.`
    : `Correct it with: errand mail edit ${item.id} ${flags}`;
  return `${done} It cannot be sent like this. ${wrong} ${next}`;
}

/** `errand mail retry` */
export function retryCommand(context: CommandContext): Command {
  return itemCommand('retry', 'Decide about a mail again, or try to send an approved draft now.')
    .option('--note <text>', 'tell the model what it asked for')
    .option('--was-sent', 'of a draft that is unclear: it was sent')
    .option('--send', 'of a draft that is unclear: it was not sent, send it')
    .action(
      async (
        id: string,
        options: CommonOptions & {
          readonly note?: string;
          readonly wasSent?: boolean;
          readonly send?: boolean;
        },
      ) => {
        const { note, wasSent, send } = options;
        if (wasSent === true || send === true) {
          if (wasSent === send) throw refused('Give either --was-sent or --send.');
          const outcome = wasSent === true ? 'was-sent' : 'send';
          const { value } = await askMail('settle', { id, outcome }, options, context);
          print(
            value,
            itemText(value.item, wasSent === true ? 'Filed as sent' : 'Will be sent'),
            options,
            context,
          );
          if (send === true) await sayWhatItWaitsFor(options, context);
          return;
        }
        const { value } = await askMail('retry', { id, ...(note && { note }) }, options, context);
        print(value, itemText(value.item, 'Tried again'), options, context);
        await sayWhatItWaitsFor(options, context);
      },
    );
}

/** `errand mail log` */
export function logCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('log')
      .description('Show what happened to mail, the newest first.')
      .argument('[id]', 'only what happened to this mail or draft')
      .option('--limit <n>', 'how many', positiveNumber, 30),
  ).action(async (id: string | undefined, options: CommonOptions & { readonly limit: number }) => {
    const { limit } = options;
    const { value } = await askMail(
      'log',
      { limit, ...(id !== undefined && { id }) },
      options,
      context,
    );
    print(value, historyText(value.entries) || 'Nothing is in the logs.\n', options, context);
  });
}

/** `errand mail pause`, `errand mail resume` */
export function pauseCommand(name: 'pause' | 'resume', context: CommandContext): Command {
  const description =
    name === 'pause'
      ? 'Stop everything: nothing is fetched, decided or sent until you resume.'
      : 'Go on after a pause.';
  return withCommonOptions(new Command(name).description(description)).action(
    async (options: CommonOptions) => {
      const { value, isOwned } = await askMail(name, {}, options, context);
      print(value, describeBoard(value.board, isOwned), options, context);
    },
  );
}

function itemCommand(name: string, description: string): Command {
  return withCommonOptions(new Command(name).description(description).argument(...idArgument));
}

function historyText(
  entries: readonly {
    readonly timestamp: string;
    readonly event: string;
    readonly subject?: string;
    readonly text?: string;
  }[],
): string {
  return table(
    entries.map(({ timestamp, event, subject = '', text = '' }) => [
      timestamp.replace('T', ' ').slice(0, 19),
      event,
      inColumn(subject),
      text,
    ]),
  );
}

function itemText(item: MailItem, done: string): string {
  return `${done}: ${oneLine(item.path)} (${mailStateLabels[item.state]}).\n`;
}

function print(
  value: unknown,
  text: string,
  { json }: CommonOptions,
  context: CommandContext,
): void {
  context.terminal.stdout.write(json ? jsonText(value) : text);
  context.end(exitCode.ok);
}

/** A value as the JSON document of a command. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function refused(message: string): HostError {
  return new HostError('settings_invalid', message);
}
