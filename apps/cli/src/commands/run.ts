import { matchDocumentPath } from '@errand/document';
import {
  type BlockChoice,
  type BlockOutcome,
  briefFailure,
  createLimiter,
  HostError,
  type Limiter,
  type Notice,
  planNote,
  runNote,
} from '@errand/host';
import { listNotes } from '@errand/machine/node';
import { Command } from 'commander';
import { advisedText } from '../advice.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { commandSession } from '../command-session.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { describePlan } from '../describe-plan.ts';
import { describeRun } from '../describe-run.ts';
import { codeOfFailure, type ExitCode, exitCode, worstOf } from '../exit-code.ts';
import { distinctNotes, folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import type { Paint } from '../paint.ts';
import { type PersonPorts, personAt } from '../person.ts';
import { positiveNumber } from '../positive-number.ts';
import { RunProgress } from '../run-progress.ts';

interface RunOptions extends CommonOptions {
  readonly all?: string | true;
  readonly block?: readonly string[];
  readonly section?: string;
  readonly stale?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly again?: boolean;
  readonly concurrency?: number;
  readonly limit?: number;
}

/** `errand run`: the blocks of notes, and their results below them. */
export function runCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('run')
      .description('Run the tool blocks of notes and write each result below its block.')
      .argument('[note...]', 'Markdown files')
      .option(
        '--all [glob]',
        'all notes of the vault, or those whose path fits, such as "Projects/**"',
      )
      .option('--block <line|^id>', 'only this block; may be given again', collect)
      .option('--section <heading>', 'only blocks below this heading, such as "Time > Tokyo"')
      .option('--stale', 'only blocks that never ran, failed, or have changed')
      .option('--dry-run', 'show what would be called, and call nothing')
      .option('--force', 'replace results that were edited by hand')
      .option('--again', 'also run what is done and could act a second time')
      .option('--concurrency <n>', 'blocks that run at once', positiveNumber)
      .option(
        '--limit <n>',
        'calls this run may make (default: one for each block)',
        positiveNumber,
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand run Welcome.md
  errand run "Weekly review.md" --section Moving
  errand run Projects/*.md --stale
  errand run --all "Projects/**" --stale
  errand run Welcome.md --block 9 --json`,
    )
    .action(async (notes: string[], options: RunOptions) => {
      context.end(await run(notes, options, context));
    });
}

/** Runs the notes side by side and reports on each in the order they were named. */
async function run(
  notes: readonly string[],
  options: RunOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  if ((notes.length === 0) === (options.all === undefined)) {
    const message = notes.length === 0 ? 'Name the notes to run, or use --all.' : twoWays;
    throw new HostError('block_invalid', message);
  }
  using progress = await RunProgress.open(terminal.stderr);
  const person = withoutRefusals(personAt(terminal, progress));
  const start = notes[0] === undefined ? undefined : folderOf(notes[0], terminal.cwd);
  await using vault = await openVault(options, context, person, start);
  const work = options.dryRun ? plan : runOne;
  const { concurrency } = options;
  const session = {
    id: commandSession(terminal),
    newId: () => commandSession(terminal),
    options,
    vault,
    signal,
    progress,
    ...(terminal.stdout.paint && { paint: terminal.stdout.paint }),
    ...(concurrency !== undefined && { limiter: createLimiter(concurrency) }),
  };
  const reports =
    options.all === undefined
      ? (await distinctNotes(notes, terminal.cwd)).map((note) =>
          settleReport(note, signal, () =>
            work(pathInVault(note, terminal.cwd, vault.folder), session),
          ),
        )
      : await runAll(options.all, work, session);
  const ended: Report[] = [];
  for (const report of reports) {
    const { text = '', problem, warnings = '' } = await report;
    ended.push(await report);
    progress.clear();
    if (problem !== undefined) terminal.stderr.write(advisedText(problem, terminal.stderr));
    terminal.stderr.write(warnings);
    if (!options.json) terminal.stdout.write(text);
  }
  if (options.json) {
    const json = ended.map((report) => report.json);
    terminal.stdout.write(`${JSON.stringify(notes.length === 1 ? json[0] : json, undefined, 2)}\n`);
  }
  return worstOf(ended.flatMap(({ codes }) => codes));
}

/** A server that nobody agreed to is told below each of its blocks, so not once more when it is started. */
function withoutRefusals(person: PersonPorts): PersonPorts {
  const { notifier } = person;
  const isToldBelow = ({ server, advice = [] }: Notice) =>
    server !== undefined && advice.some(({ kind }) => kind === 'review-trust');
  const notify = (notice: Notice) => {
    if (!isToldBelow(notice)) notifier.notify(notice);
  };
  return { ...person, notifier: { ...notifier, notify } };
}

const twoWays = 'Name notes, or use --all, not both.';

/** Notes of a vault that are read at once. */
const notesAtOnce = 16;

/** Runs all notes of the vault that fit; the many without a block, or without the section, are not reported. */
async function runAll(
  glob: string | true,
  work: Work,
  session: Session,
): Promise<readonly Promise<Report>[]> {
  const { vault, signal } = session;
  const fits = (path: string) => glob === true || matchDocumentPath(glob, path) !== null;
  const paths = (await listNotes(vault.folder)).filter(fits);
  if (paths.length === 0) {
    const which = glob === true ? '' : ` that fits ${glob}`;
    throw new HostError('note_unreadable', `The vault ${vault.folder} has no note${which}.`);
  }
  const enter = createLimiter(notesAtOnce);
  const reports = await Promise.all(
    paths.map((path) => enter(() => settleReport(path, signal, () => work(path, session)))),
  );
  const isNews = ({ isEmpty = false, problem }: Report) =>
    !isEmpty && problem?.code !== 'block_invalid';
  const { section, block = [] } = session.options;
  if (reports.every(({ problem }) => problem?.code === 'block_invalid')) {
    const named = [...(section === undefined ? [] : [section]), ...block].join(', ');
    throw new HostError('block_invalid', `No note has a tool block at ${named}. Name another.`);
  }
  return reports.filter(isNews).map((report) => Promise.resolve(report));
}

/** The report on one note. */
interface Report {
  readonly text?: string;
  /** Why it could not be run at all. */
  readonly problem?: HostError;
  /** What is wrong with its bindings. */
  readonly warnings?: string;
  readonly json: unknown;
  /** Nothing was to be run. */
  readonly isEmpty?: boolean;
  readonly codes: readonly ExitCode[];
}

/** One run of the command. */
interface Session {
  readonly id: string;
  readonly newId: () => string;
  readonly options: RunOptions;
  readonly vault: OpenVault;
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
  /** Of all notes together. */
  readonly limiter?: Limiter;
  readonly paint?: Paint;
}

type Work = (path: string, session: Session) => Promise<Report>;

const runOne: Work = async (path, session) => {
  const { id, newId, options, vault, signal, progress, limiter, paint } = session;
  const { force = false, again, limit } = options;
  const run = await runNote(
    {
      path,
      // An explicit limit covers all notes together.
      sessionId: limit === undefined ? newId() : id,
      choice: choiceOf(options),
      force,
      ...(again && { again }),
      ...(limiter && { limiter }),
      ...(limit !== undefined && { limit }),
    },
    vault,
    { signal, onEvent: (event) => progress.show(event) },
  );
  const warnings = describeBindingProblems(path, run.problems);
  const text = describeRun(run, limit, paint);
  const isEmpty = run.results.length === 0;
  return { text, warnings, json: run, isEmpty, codes: run.results.map(codeOf) };
};

const plan: Work = async (path, { options, vault, signal }) => {
  const planned = await planNote(
    {
      path,
      choice: choiceOf(options),
      force: options.force ?? false,
      ...(options.again && { again: true }),
    },
    vault,
    signal,
  );
  const codes = planned.blocks.flatMap(({ error }) => codesOf(error));
  const warnings = describeBindingProblems(path, planned.problems);
  const isEmpty = planned.blocks.length === 0;
  return { text: describePlan(planned), warnings, json: planned, isEmpty, codes };
};

/** A note that cannot be run must not suppress the reports of the others. */
async function settleReport(
  note: string,
  signal: AbortSignal,
  work: () => Promise<Report>,
): Promise<Report> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted && !(error instanceof HostError)) throw error;
    const problem =
      error instanceof HostError
        ? error
        : new HostError('cancelled', `${note} was cancelled before it began.`);
    const json = { note, changed: false, results: [], error: briefFailure(problem) };
    const codes = [problem.code === 'cancelled' ? exitCode.cancelled : exitCode.usage];
    return { problem, json, codes };
  }
}

function choiceOf({ block, section, stale }: RunOptions): BlockChoice {
  return {
    ...(block && { blocks: block }),
    ...(section !== undefined && { section }),
    ...(stale && { stale }),
  };
}

function codeOf({ status, error }: BlockOutcome): ExitCode {
  switch (status) {
    case 'success':
      return exitCode.ok;
    case 'cancelled':
      return exitCode.cancelled;
    case 'skipped':
      return error === null ? exitCode.ok : codeOfFailure(error.code);
    case 'refused':
      return worstOf([exitCode.refused, ...codesOf(error)]);
    default:
      return worstOf([exitCode.failed, ...codesOf(error)]);
  }
}

function codesOf(error: BlockOutcome['error']): readonly ExitCode[] {
  return error === null ? [] : [codeOfFailure(error.code)];
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
