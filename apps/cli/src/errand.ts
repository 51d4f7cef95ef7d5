import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** Runs one `errand` command line and answers with the program's exit code. */
export async function runErrand(
  argv: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const program = buildProgram(context, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    throw error;
  }
}
