import type { Command, Option } from 'commander';

/** What a word on the command line may name. */
export type WordKind =
  | 'server'
  | 'tool'
  | 'parameter'
  | 'assistant'
  | 'agreed'
  | 'secret'
  | 'setting'
  | 'section'
  | 'hook';

/** What was typed before the word that is completed. */
export interface TypedLine {
  /** The words after the innermost command that are neither options nor their values. */
  readonly rest: readonly string[];
  readonly vault: string | undefined;
}

/** The names of one kind; asked only when a word calls for them. */
export type CompletionSource = (kind: WordKind, line: TypedLine) => Promise<readonly string[]>;

/** The words that may stand last on a command line, for what was typed of it so far. */
export async function complete(
  program: Command,
  words: readonly string[],
  source: CompletionSource,
): Promise<readonly string[]> {
  // Bash passes words as they are typed; names are compared without their quotes.
  const typed = (words.at(-1) ?? '').replace(/^["']/, '').replaceAll('\\', '');
  const before = words.slice(0, -1);
  // What follows belongs to a server.
  if (before.includes('--')) return [];
  const line = readLine(program, before);
  const kind = kindOf(line, typed);
  const candidates = [
    ...wordsFor(line, typed),
    ...(kind === undefined ? [] : await source(kind, line)),
  ];
  return candidates.filter((candidate) => candidate.startsWith(typed)).sort();
}

interface Line extends TypedLine {
  /** The innermost command that it names. */
  readonly command: Command;
  /** An option that waits for its value. */
  readonly open: Option | undefined;
}

function readLine(program: Command, words: readonly string[]): Line {
  let line: Line = { command: program, rest: [], open: undefined, vault: undefined };
  for (const word of words) {
    const { command, rest, open } = line;
    const inner =
      rest.length === 0 &&
      command.commands.find((each) => each.name() === word || each.aliases().includes(word));
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

function kindOf({ command, rest, open }: Line, typed: string): WordKind | undefined {
  if (open !== undefined) return optionKinds[open.long ?? ''];
  if (typed.startsWith('-')) return undefined;
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[rest.length] ?? (last?.variadic ? last : undefined);
  const name = argument?.name() ?? '';
  const path = [command.parent?.name(), command.name()].join(' ');
  // These make a new name.
  if (/^(?:servers|assistants|hooks) add$/.test(path)) return undefined;
  return (
    argumentKinds[name] ??
    nameKinds[path] ??
    (name === 'name' ? nameKinds[command.parent?.name() ?? ''] : undefined)
  );
}

const optionKinds: Readonly<Record<string, WordKind>> = {
  '--server': 'server',
  '--assistant': 'assistant',
  '--section': 'section',
  '--allow-tool': 'tool',
  '--deny-tool': 'tool',
};

const argumentKinds: Readonly<Record<string, WordKind>> = {
  server: 'server',
  tool: 'tool',
  'name=value': 'parameter',
  key: 'setting',
};

/** What `<name>` means, by command. */
const nameKinds: Readonly<Record<string, WordKind>> = {
  servers: 'server',
  secrets: 'secret',
  assistants: 'assistant',
  hooks: 'hook',
  'errand trust': 'agreed',
};
