import { findToolBlocks, scan } from '@errand/document';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { blocksJson, describeBlocks } from '../describe-blocks.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';

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
  note: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const person = personAt(terminal);
  await using vault = await openVault(options, context, person, folderOf(note, terminal.cwd));
  const path = pathInVault(note, terminal.cwd, vault.folder);
  const known = { servers: vault.host.servers.list(), documentPath: path };
  const blocks = findToolBlocks(scan(await vault.notes.read(path, signal)), known);
  if (options.json) {
    terminal.stdout.write(`${JSON.stringify(blocksJson(path, blocks), undefined, 2)}\n`);
  } else if (blocks.length === 0) terminal.stdout.write(`${path} has no tool blocks.\n`);
  else terminal.stdout.write(describeBlocks(blocks));
  return blocks.some(({ state }) => state === 'invalid') ? exitCode.failed : exitCode.ok;
}
