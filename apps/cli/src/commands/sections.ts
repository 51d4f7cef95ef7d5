import { resolveSections } from '@errand/document';
import { oneLine } from '@errand/host';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { readNote } from '../read-note.ts';

/** `errand sections`: which server each part of a note may use, and why. */
export function sectionsCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('sections')
      .description('Show the outline of a note with the server of each section, and why.')
      .argument('<note>', 'a Markdown file'),
  )
    .addHelpText('after', '\nExamples:\n  errand sections "Projects/Garden office.md"')
    .action(async (note: string, options: CommonOptions) => {
      context.end(await showSections(note, options, context));
    });
}

async function showSections(
  name: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { path, note, known } = await readNote(name, options, context);
  const { sections, problems } = resolveSections(note, known);
  if (options.json) {
    const json = {
      note: path,
      sections: sections.map(({ kind, title, line, endLine, decision, explanation }) => ({
        kind,
        title,
        line,
        endLine,
        server: decision.kind === 'bound' ? decision.server : null,
        refused: decision.kind === 'refused',
        explanation,
      })),
      problems,
    };
    terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else {
    const indent = (section: (typeof sections)[number]) =>
      '  '.repeat(Math.max(0, section.path.length - 1));
    const lines = sections.map((section) => `${indent(section)}${oneLine(section.explanation)}\n`);
    terminal.stdout.write(lines.join(''));
    terminal.stderr.write(describeBindingProblems(path, problems));
  }
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
