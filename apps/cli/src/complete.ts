import type { Command } from 'commander';

/** What completion needs to know of the vault; asked only when a word calls for it. */
export interface CompletionSources {
  servers(): Promise<readonly string[]>;
}

/** The words that may stand last on a command line, for what was typed of it so far. */
export async function complete(
  program: Command,
  words: readonly string[],
  sources: CompletionSources,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const { command, rest } = descend(program, words.slice(0, -1));
  const candidates = typed.startsWith('-')
    ? command.options.flatMap(({ long }) => (long ? [long] : []))
    : [
        ...(rest.length === 0 ? command.commands.map((each) => each.name()) : []),
        ...(takesServer(command, rest.length) ? await sources.servers() : []),
      ];
  return candidates.filter((candidate) => candidate.startsWith(typed)).sort();
}

/** The innermost command that the words name, and the words after it that are no options. */
function descend(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const [first, ...others] = words.filter((word) => !word.startsWith('-'));
  const inner = program.commands.find((command) => command.name() === first);
  if (first === undefined || inner === undefined) {
    return { command: program, rest: first === undefined ? [] : [first, ...others] };
  }
  return descend(inner, others);
}

function takesServer(command: Command, position: number): boolean {
  const name = command.registeredArguments[position]?.name();
  if (name === 'server') return true;
  return name === 'name' && command.parent?.name() === 'servers' && command.name() !== 'add';
}
