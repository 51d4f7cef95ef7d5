import type { Approver, TurnEnd } from '@errand/assistant';
import { textFence } from '@errand/document';
import { HostError, openToolContext } from '@errand/host';
import { findNote } from '@errand/machine/node';
import { Command } from 'commander';
import { word } from '../advice.ts';
import { jsonOutput, type ShowEvent, textOutput } from '../ask-output.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { commandSession } from '../command-session.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { type NoteOption, noteAndLine } from '../note-option.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { pipedInput } from '../piped-input.ts';
import { progressLine } from '../progress-line.ts';
import { terminalApprover } from '../terminal-approver.ts';

interface AskCommandOptions extends CommonOptions {
  readonly note?: NoteOption;
  readonly assistant?: string;
  readonly yes?: boolean;
}

/** `errand ask`: a question to a language model that may use the tools. */
export function askCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('ask')
      .description('Ask a language model, which may use the tools of this vault.')
      .argument('[question...]', 'what to ask; with --note, it is written into the note')
      .option(
        '--note <note[:line]>',
        'answer in this note, with what its section allows',
        noteAndLine,
      )
      .option('--assistant <name>', 'use this assistant instead of the first one')
      .option('--yes', 'let it call tools that change something, without being asked'),
  )
    .addHelpText(
      'after',
      `
Without a question, --note answers the last one in the note that has no answer: a line that begins
with "#User :". What is piped in belongs to the question. With --json, every event is one line.

Examples:
  errand ask "Which notes mention the stove?"
  errand ask --note "Weekly review.md"
  errand ask --note Trip.md:12 "What is missing in this list?"
  git diff | errand ask "Write a commit message."`,
    )
    .action(async (words: string[], options: AskCommandOptions) => {
      context.end(await ask(words.join(' ').trim(), options, context));
    });
}

async function ask(
  typed: string,
  options: AskCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const hasQuestion = typed !== '' || options.note !== undefined;
  const question = withPiped(typed, await pipedInput(terminal, hasQuestion, signal));
  if (question === '' && options.note === undefined) throw noQuestion();
  const start = options.note && folderOf(options.note.note, terminal.cwd);
  using line = await progressLine(terminal);
  const person = personAt(terminal, line);
  await using vault = await openVault(options, context, person, start);
  const approver = options.yes ? sayYes : terminalApprover(terminal, person.questions, line);
  const onEvent = options.json ? jsonOutput(terminal) : textOutput(terminal, line);
  if (!options.json) line.show('starting servers');
  const end = await answer(question, options, vault, { ...context, approver, onEvent });
  const { note } = options;
  if (note !== undefined && isUnanswered(end) && !options.json) {
    // The question is in the note already: asking it again would write it twice.
    const place = note.line === undefined ? note.note : `${note.note}:${note.line}`;
    terminal.stderr.write(
      `The question is in the note. Try again with: errand ask --note ${word(place)}\n`,
    );
  }
  return codeOf(end);
}

/** Whether a question that was written into a note stands there without an answer. */
function isUnanswered(end: TurnEnd): boolean {
  if (end.state === 'failed') return end.code !== 'note_changed';
  return end.state === 'cancelled' && end.text === '' && end.calls === 0;
}

interface AskContext extends CommandContext {
  readonly approver: Approver | undefined;
  readonly onEvent: ShowEvent;
}

async function answer(
  question: string,
  options: AskCommandOptions,
  vault: OpenVault,
  { terminal, signal, approver, onEvent }: AskContext,
): Promise<TurnEnd> {
  // Only this command needs it, and it is large.
  const { answerInNote, chooseAssistant, converse, openModel } = await import('@errand/assistant');
  const { host, notes, attachments, log, references, trust, folder } = vault;
  const path = options.note && pathInVault(options.note.note, terminal.cwd, folder);
  // Whether the note is there is known without a model.
  if (path !== undefined) await notes.read(path, signal);
  const config = chooseAssistant(host.servers.settings.assistants, options.assistant);
  const model = await openModel(config, {
    ...references,
    mayUse: (assistant) => trust.mayUse(assistant),
  });
  const ports = { model, host, log, ...(approver && { approver }) };
  const conversation = commandSession(terminal);
  if (path !== undefined) {
    const line = options.note?.line === undefined ? {} : { line: Number(options.note.line) };
    const { end } = await answerInNote(
      { path, ...line, ...(question !== '' && { question }) },
      {
        ...ports,
        notes,
        attachments,
        findNote: (name, asked) => findNote(folder, name, asked),
        sessionOf: () => conversation,
      },
      { signal, onEvent },
    );
    return end;
  }
  const user = { source: 'ai-autonomous', sessionId: conversation } as const;
  return converse(
    { conversation, history: [{ role: 'user', text: question }] },
    { ...ports, tools: (asked) => openToolContext(user, { host, notes }, asked) },
    { signal, onEvent },
  );
}

const sayYes: Approver = { approve: async () => true };

/** Puts piped input below the question, in a fence that it cannot close. */
function withPiped(typed: string, piped: string): string {
  if (typed === '' || piped === '') return typed || piped;
  return `${typed}\n\n${textFence(piped)}`;
}

function noQuestion(): HostError {
  return new HostError(
    'block_invalid',
    'No question given. Write it after the command: errand ask "Which notes mention the stove?"',
  );
}

function codeOf({ state, code }: TurnEnd): ExitCode {
  if (state === 'answered') return exitCode.ok;
  if (state === 'cancelled') return exitCode.cancelled;
  if (code === 'key_refused' || code === 'model_unknown') return exitCode.usage;
  return code === 'note_changed' ? exitCode.refused : exitCode.failed;
}
