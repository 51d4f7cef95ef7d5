import { type BlockRun, type NoteRun, runNote } from '@errand/host';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeRun } from '../describe-run.ts';
import { type ExitCode, exitCode, worstOf } from '../exit-code.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { positiveNumber } from '../positive-number.ts';
import { RunProgress } from '../run-progress.ts';

interface RunOptions extends CommonOptions {
  readonly block?: readonly string[];
  readonly section?: string;
  readonly stale?: boolean;
  readonly force?: boolean;
  readonly concurrency?: number;
  readonly limit?: number;
}

/** `errand run`: the blocks of notes, and their results below them. */
export function runCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('run')
      .description('Run the tool blocks of notes and write each result below its block.')
      .argument('<note...>', 'Markdown files')
      .option('--block <line|^id>', 'only this block; may be given again', collect)
      .option('--section <heading>', 'only blocks below this heading')
      .option('--stale', 'only blocks that never ran, failed, or have changed')
      .option('--force', 'replace results that were edited by hand')
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
  errand run Welcome.md --block 9 --json`,
    )
    .action(async (notes: string[], options: RunOptions) => {
      context.end(await run(notes, options, context));
    });
}

/** Runs the notes one after the other and reports on each. */
async function run(
  notes: readonly string[],
  options: RunOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  using progress = new RunProgress(terminal.stderr);
  const person = personAt(terminal, progress);
  const start = folderOf(notes[0] ?? '', terminal.cwd);
  await using vault = await openVault(options, context, person, start);
  const runs: NoteRun[] = [];
  for (const note of notes) {
    const path = pathInVault(note, terminal.cwd, vault.folder);
    const { block, section, stale, force, concurrency, limit } = options;
    const ended = await runNote(
      {
        path,
        sessionId: crypto.randomUUID(),
        choice: {
          ...(block && { blocks: block }),
          ...(section !== undefined && { section }),
          ...(stale && { stale }),
        },
        ...(force && { force }),
        ...(concurrency !== undefined && { concurrency }),
        ...(limit !== undefined && { limit }),
      },
      vault,
      { signal, onEvent: (event) => progress.show(event) },
    );
    progress.clear();
    runs.push(ended);
    if (!options.json) terminal.stdout.write(describeRun(ended));
  }
  if (options.json) {
    const [only] = runs;
    terminal.stdout.write(`${JSON.stringify(notes.length === 1 ? only : runs, undefined, 2)}\n`);
  }
  return worstOf(runs.flatMap(({ results }) => results.map(codeOf)));
}

function codeOf({ status, error }: BlockRun): ExitCode {
  if (error?.code === 'untrusted') return exitCode.usage;
  switch (status) {
    case 'success':
      return exitCode.ok;
    case 'cancelled':
      return exitCode.cancelled;
    case 'refused':
      return exitCode.refused;
    default:
      return exitCode.failed;
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
