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
    .option('--trust', 'start what this vault names, for this run only');
}
