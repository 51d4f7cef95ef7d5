import { HostError } from '@errand/host';
import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { blocksCommand } from './commands/blocks.ts';
import { callCommand } from './commands/call.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { gatewayCommand } from './commands/gateway.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { runCommand } from './commands/run.ts';
import { secretsCommand } from './commands/secrets.ts';
import { sectionsCommand } from './commands/sections.ts';
import { serveCommand } from './commands/serve.ts';
import { serversCommand } from './commands/servers/servers-command.ts';
import { toolsCommand } from './commands/tools.ts';
import { trustCommand } from './commands/trust.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { version } from './version.ts';

/** Runs one `errand` command line and answers with the program's exit code. */
export async function runErrand(
  argv: readonly string[],
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const program = new Command('errand')
    .description('Notes that run tools.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  const context: CommandContext = {
    terminal,
    signal,
    end: (ended) => {
      code = ended;
    },
  };
  for (const command of commands) {
    program.addCommand(command(context));
  }
  program.addCommand(completeCommand(context), { hidden: true });
  inheritSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (signal.aborted) return exitCode.cancelled;
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    if (!(error instanceof HostError)) throw error;
    terminal.stderr.write(`${error.message}\n`);
    return codeFor(error);
  }
}

const commands: readonly ((context: CommandContext) => Command)[] = [
  initCommand,
  runCommand,
  blocksCommand,
  sectionsCommand,
  callCommand,
  toolsCommand,
  serversCommand,
  gatewayCommand,
  serveCommand,
  historyCommand,
  secretsCommand,
  trustCommand,
  completionCommand,
];

/** Commander copies them only to commands it makes itself. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) inheritSettings(command.copyInheritedSettings(parent));
}

/** Failures that end a whole command, rather than one call of it. */
function codeFor({ code }: HostError): ExitCode {
  return usageCodes.has(code) ? exitCode.usage : exitCode.failed;
}

const usageCodes: ReadonlySet<HostError['code']> = new Set([
  'settings_invalid',
  'secret_missing',
  'untrusted',
  'block_invalid',
  'note_unreadable',
  'server_unknown',
]);
