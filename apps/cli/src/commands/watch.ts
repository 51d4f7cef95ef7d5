import { scan } from '@errand/document';
import { briefFailure, HostError } from '@errand/host';
import { watchNotes } from '@errand/machine/node';
import { Command } from 'commander';
import { advisedText } from '../advice.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { blocksJson, blocksOf, describeBlocks, type NoteBlocks } from '../describe-blocks.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';

/** `errand watch`: shows the blocks of notes, again after each change. */
export function watchCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('watch')
      .description(
        'Show the tool blocks of notes and their states, and again when they change. Runs nothing.',
      )
      .argument('[note...]', 'Markdown files (default: all notes of the vault)'),
  )
    .addHelpText(
      'after',
      `
With --json, every listing is one line: what "errand blocks --json" prints of the note.
Ctrl-C ends it.

Examples:
  errand watch "Weekly review.md"
  errand watch --vault ~/notes --json`,
    )
    .action(async (notes: string[], options: CommonOptions) => {
      context.end(await watch(notes, options, context));
    });
}

async function watch(
  notes: readonly string[],
  options: CommonOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const start = notes[0] === undefined ? undefined : folderOf(notes[0], terminal.cwd);
  await using vault = await openVault(options, context, personAt(terminal), start);
  const named = notes.map((note) => pathInVault(note, terminal.cwd, vault.folder));
  const reported = new Map<string, string>();
  const tell = async (path: string) => {
    const listing = await list(path, vault);
    const text = options.json ? asLine(listing) : describe(listing);
    // Most notes have no blocks, and most changes change none.
    const isNothing = listing.blocks.length === 0 && !named.includes(path);
    if (reported.get(path) === text || (isNothing && !reported.has(path))) return;
    if (isNothing) reported.delete(path);
    else reported.set(path, text);
    terminal.stdout.write(text);
  };
  while (!signal.aborted) {
    const renewed = new AbortController();
    // Other servers make other blocks of the same text.
    const unsubscribe = vault.host.events.subscribe(({ kind }) => {
      if (kind === 'settings-changed') renewed.abort();
    });
    for (const path of reported.keys()) await tell(path);
    const either = AbortSignal.any([signal, renewed.signal]);
    for await (const paths of watchNotes(vault.folder, named, either)) {
      for (const path of paths) if (!either.aborted) await tell(path);
    }
    unsubscribe();
  }
  return exitCode.ok;
}

/** The blocks of a note, or why there are none to be seen. */
interface Listing extends NoteBlocks {
  readonly error?: HostError;
}

async function list(note: string, { host, notes }: OpenVault): Promise<Listing> {
  try {
    const known = host.servers.noteContext(note);
    return blocksOf(note, scan(await notes.read(note)), known);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { note, blocks: [], problems: [], error };
  }
}

function asLine({ error, ...found }: Listing): string {
  const failure = error && { error: briefFailure(error) };
  return `${JSON.stringify({ ...blocksJson(found), ...failure })}\n`;
}

function describe({ note, blocks, problems, error }: Listing): string {
  if (error !== undefined) return advisedText(error);
  const mistakes = describeBindingProblems(note, problems);
  if (blocks.length === 0) return `${note} has no tool blocks.\n${mistakes}`;
  return `${note}\n${describeBlocks(blocks).replace(/^(?=.)/gm, '  ')}${mistakes}`;
}
