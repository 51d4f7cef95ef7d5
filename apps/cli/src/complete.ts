import type { Command, Option } from 'commander';

/** What completion needs to know of the vault; asked only when a word calls for it. */
export interface CompletionSources {
  /** The servers of this vault; without one, of the nearest. */
  servers(vault: string | undefined): Promise<readonly string[]>;
}

/** The words that may stand last on a command line, for what was typed of it so far. */
export async function complete(
  program: Command,
  words: readonly string[],
  sources: CompletionSources,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // What follows belongs to a server.
  if (before.includes('--')) return [];
  const line = readLine(program, before);
  const candidates = [
    ...wordsFor(line, typed),
    ...(asksForServer(line, typed) ? await sources.servers(line.vault) : []),
  ];
  return candidates.filter((candidate) => candidate.startsWith(typed)).sort();
}

/** A command line as far as it was typed. */
interface Line {
  /** The innermost command that it names, and the words after it that are neither options nor their values. */
  readonly command: Command;
  readonly rest: readonly string[];
  /** An option that waits for its value. */
  readonly open: Option | undefined;
  readonly vault: string | undefined;
}

function readLine(program: Command, words: readonly string[]): Line {
  let line: Line = { command: program, rest: [], open: undefined, vault: undefined };
  for (const word of words) {
    const { command, rest, open } = line;
    const inner = rest.length === 0 && command.commands.find((each) => each.name() === word);
    if (open?.long === '--vault') line = { ...line, open: undefined, vault: word };
    else if (open !== undefined) line = { ...line, open: undefined };
    else if (word.startsWith('-')) {
      const option = command.options.find(({ long }) => long === word);
      line = { ...line, open: option?.required ? option : undefined };
    } else if (inner) line = { ...line, command: inner };
    else line = { ...line, rest: [...rest, word] };
  }
  return line;
}

function wordsFor({ command, rest, open }: Line, typed: string): readonly string[] {
  if (open !== undefined) return open.argChoices ?? [];
  const help = command.createHelp();
  if (typed.startsWith('-')) return help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  if (rest.length === 0 && command.commands.length > 0) {
    return help.visibleCommands(command).map((each) => each.name());
  }
  return command.registeredArguments[rest.length]?.argChoices ?? [];
}

function asksForServer({ command, rest, open }: Line, typed: string): boolean {
  if (open !== undefined) return open.long === '--server';
  if (typed.startsWith('-')) return false;
  const name = command.registeredArguments[rest.length]?.name();
  if (name === 'server') return true;
  return name === 'name' && command.parent?.name() === 'servers' && command.name() !== 'add';
}
