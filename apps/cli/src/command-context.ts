import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Fires on Ctrl-C, on a polite kill and when the launcher dies. */
  readonly signal: AbortSignal;
  /** Says what the program ends with. */
  end(code: ExitCode): void;
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly vault?: string;
  readonly trust?: boolean;
}

/** Adds the options that every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON document, and nothing else, to standard output')
    .option('--vault <dir>', 'the folder of notes (default: the nearest vault upward)')
    .option('--trust', 'allow what this vault starts, for this run only');
}

/** Gives the options before a subcommand to it: `servers --vault DIR test NAME` is `servers test NAME --vault DIR`. */
export function passOptionsOn(command: Command): Command {
  return command.hook('preSubcommand', (_command, subcommand) => {
    const known = new Set(subcommand.options.map((option) => option.attributeName()));
    for (const [name, value] of Object.entries(command.opts())) {
      if (known.has(name)) subcommand.setOptionValue(name, value);
    }
  });
}
