import { findToolBlocks, plainValue, scan, type ToolBlock } from '@errand/document';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { table } from '../table.ts';

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
    const json = { note: path, blocks: blocks.map(asJson) };
    terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else if (blocks.length === 0) terminal.stdout.write(`${path} has no tool blocks.\n`);
  else terminal.stdout.write(describe(blocks));
  return blocks.some(({ state }) => state === 'invalid') ? exitCode.failed : exitCode.ok;
}

function asJson(block: ToolBlock) {
  const { line, endLine, id, server, tool, section, boundServer, state } = block;
  const problem = block.problem ?? block.refusal;
  const params = plainValue(block.params);
  return { line, endLine, id, server, tool, params, section, boundServer, state, problem };
}

function describe(blocks: readonly ToolBlock[]): string {
  const rows = blocks.map(({ line, server, tool, section, boundServer, state }) => [
    `line ${line}`,
    [server, tool].filter(Boolean).join(' '),
    state,
    section.join(' > ') + (boundServer === null ? '' : ` (bound to ${boundServer})`),
  ]);
  const lines = table(rows).split('\n');
  return blocks
    .map(({ problem, refusal }, index) => {
      const message = (problem ?? refusal)?.message;
      return `${lines[index]}\n${message === undefined ? '' : `  ${message}\n`}`;
    })
    .join('');
}
