import { briefFailure, HostError } from '@errand/host';
import { Command, CommanderError } from 'commander';
import { advisedText } from './advice.ts';
import type { CommandContext } from './command-context.ts';
import { askCommand } from './commands/ask.ts';
import { assistantsCommand } from './commands/assistants.ts';
import { blocksCommand } from './commands/blocks.ts';
import { callCommand } from './commands/call.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { gatewayCommand } from './commands/gateway.ts';
import { historyCommand } from './commands/history.ts';
import { hooksCommand } from './commands/hooks/hooks-command.ts';
import { initCommand } from './commands/init.ts';
import { jobsCommand } from './commands/jobs.ts';
import { mailCommand } from './commands/mail/mail-command.ts';
import { runCommand } from './commands/run.ts';
import { secretsCommand } from './commands/secrets.ts';
import { sectionsCommand } from './commands/sections.ts';
import { serveCommand } from './commands/serve.ts';
import { serversCommand } from './commands/servers/servers-command.ts';
import { settingsCommand } from './commands/settings.ts';
import { statusCommand } from './commands/status.ts';
import { resumeCommand, stopCommand } from './commands/stop.ts';
import { toolsCommand } from './commands/tools.ts';
import { trustCommand } from './commands/trust.ts';
import { upCommand } from './commands/up.ts';
import { watchCommand } from './commands/watch.ts';
import { workerCommand } from './commands/worker.ts';
import { codeOfCommandFailure, type ExitCode, exitCode } from './exit-code.ts';
import { version } from './version.ts';

/** Runs one `errand` command line and answers with the program's exit code. */
export async function runErrand(
  argv: readonly string[],
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const end = (ended: ExitCode) => {
    code = ended;
  };
  try {
    await errandProgram({ terminal, signal, end }).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (signal.aborted) return exitCode.cancelled;
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.ok;
    const failure = asHostError(error);
    // Commander has already written its own message.
    if (!(error instanceof CommanderError)) {
      terminal.stderr.write(advisedText(failure, terminal.stderr));
    } else if (lacksSeparator(error, argv)) {
      terminal.stderr.write(
        "Put -- before the server's command, so that its options are not ours.\n",
      );
    }
    if (wantsJson(argv)) {
      const json = { error: briefFailure(failure) };
      terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
    }
    return codeOfCommandFailure(failure.code);
  }
}

/** Whether an unknown option probably belongs to the command of a server. */
function lacksSeparator({ code }: CommanderError, [first, second, ...rest]: readonly string[]) {
  const isLaunch = first === 'servers' && (second === 'add' || second === 'edit');
  return code === 'commander.unknownOption' && isLaunch && !rest.includes('--');
}

/** A folder that may not be written, a full disk: no defect of ours, and nothing to show a stack for. */
function asHostError(error: unknown): HostError {
  if (error instanceof HostError) return error;
  if (error instanceof CommanderError) {
    return new HostError('settings_invalid', error.message.replace(/^error: /, ''));
  }
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  const message = `The system refused: ${error.message}. Check that path, its permissions and the space left.`;
  return new HostError('settings_invalid', message, {}, { cause: error });
}

/** The program with all its commands. */
export function errandProgram(context: CommandContext): Command {
  const { stdout, stderr } = context.terminal;
  const program = new Command('errand')
    .description('Notes that run tools.')
    .version(version)
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see how it is used.')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    });
  for (const command of commands) {
    program.addCommand(command(context));
  }
  program.addCommand(completeCommand(context), { hidden: true });
  inheritSettings(program);
  return program;
}

const commands: readonly ((context: CommandContext) => Command)[] = [
  initCommand,
  runCommand,
  blocksCommand,
  sectionsCommand,
  watchCommand,
  callCommand,
  toolsCommand,
  askCommand,
  assistantsCommand,
  serversCommand,
  gatewayCommand,
  serveCommand,
  upCommand,
  workerCommand,
  statusCommand,
  stopCommand,
  resumeCommand,
  historyCommand,
  hooksCommand,
  jobsCommand,
  mailCommand,
  secretsCommand,
  settingsCommand,
  trustCommand,
  doctorCommand,
  completionCommand,
];

/** Arguments after `--` belong to the server's command. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Commander copies them only to commands it makes itself. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) inheritSettings(command.copyInheritedSettings(parent));
}
