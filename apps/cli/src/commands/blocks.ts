import type { ToolBlock } from '@errand/document';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { blocksJson, blocksOf, describeBlocks } from '../describe-blocks.ts';
import { type ExitCode, exitCode, worstOf } from '../exit-code.ts';
import { readNote } from '../read-note.ts';

/** `errand blocks`: what a note asks for, without running anything. */
export function blocksCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('blocks')
      .description('Show the tool blocks of a note and their states. Runs nothing.')
      .argument('<note>', 'a Markdown file'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  errand blocks Mistakes.md\n  errand blocks Welcome.md --json',
    )
    .action(async (note: string, options: CommonOptions) => {
      context.end(await showBlocks(note, options, context));
    });
}

async function showBlocks(
  name: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { path, note, known } = await readNote(name, options, context);
  const found = blocksOf(path, note, known);
  const { blocks, problems } = found;
  terminal.stderr.write(describeBindingProblems(path, problems));
  if (options.json) {
    terminal.stdout.write(`${JSON.stringify(blocksJson(found), undefined, 2)}\n`);
  } else if (blocks.length === 0) terminal.stdout.write(`${path} has no tool blocks.\n`);
  else terminal.stdout.write(describeBlocks(blocks, terminal.stdout.paint));
  return worstOf(blocks.map(codeOfBlock));
}

/** What refuses a block is no mistake in it, unless its server's entry cannot be read. */
function codeOfBlock({ state, refusal }: ToolBlock): ExitCode {
  if (refusal?.code === 'settings_invalid') return exitCode.usage;
  return state === 'invalid' ? exitCode.failed : exitCode.ok;
}
