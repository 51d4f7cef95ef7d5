import { scan } from '@errand/document';
import { briefFailure, HostError, runNote } from '@errand/host';
import { watchNotes } from '@errand/machine/node';
import { Command } from 'commander';
import { advisedText } from '../advice.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { describeBindingProblems } from '../describe-binding-problems.ts';
import { blocksJson, blocksOf, describeBlocks, type NoteBlocks } from '../describe-blocks.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { folderOf, pathInVault } from '../note-path.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import type { Paint } from '../paint.ts';
import { personAt } from '../person.ts';

interface WatchOptions extends CommonOptions {
  readonly run?: boolean;
}

/** `errand watch`: shows the blocks of notes, again after each change. */
export function watchCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('watch')
      .description(
        'Show the tool blocks of notes and their states, and again when they change. Runs nothing without --run.',
      )
      .option('--run', 'run blocks that are new or changed and whose tool only reads')
      .argument('[note...]', 'Markdown files (default: all notes of the vault)'),
  )
    .addHelpText(
      'after',
      `
With --json, every listing is one line: what "errand blocks --json" prints of the note.
Ctrl-C ends it.

Examples:
  errand watch "Weekly review.md"
  errand watch Dashboard.md --run
  errand watch --vault ~/notes --json`,
    )
    .action(async (notes: string[], options: WatchOptions) => {
      context.end(await watch(notes, options, context));
    });
}

async function watch(
  notes: readonly string[],
  options: WatchOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const start = notes[0] === undefined ? undefined : folderOf(notes[0], terminal.cwd);
  await using vault = await openVault(options, context, personAt(terminal), start);
  const named = notes.map((note) => pathInVault(note, terminal.cwd, vault.folder));
  const reported = new Map<string, string>();
  const tell = async (path: string) => {
    const listing = await list(path, vault);
    const text = options.json ? asLine(listing) : describe(listing, terminal.stdout.paint);
    // Most notes have no blocks, and most changes change none.
    const isNothing = listing.blocks.length === 0 && !named.includes(path);
    const isNews = reported.get(path) !== text && !(isNothing && !reported.has(path));
    if (isNothing) reported.delete(path);
    else reported.set(path, text);
    if (isNews) terminal.stdout.write(text);
    if (options.run) await runReading(listing, vault, context);
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

/** Runs what is new or changed and only reads; what failed waits until its request is changed. */
async function runReading(
  { note, blocks }: Listing,
  vault: OpenVault,
  { terminal, signal }: CommandContext,
): Promise<void> {
  const { servers } = vault.host;
  const tell = (error: unknown) => {
    if (!(error instanceof HostError)) throw error;
    terminal.stderr.write(advisedText(error, terminal.stderr));
  };
  const lines: string[] = [];
  for (const { state, line, server, tool, problem, refusal } of blocks) {
    const isDue = (state === 'new' || state === 'stale') && problem === null && refusal === null;
    const config = isDue ? servers.find(server ?? '') : undefined;
    if (!config?.enabled) continue;
    const tools = await servers.tools(config.id, signal).catch(tell);
    const found = tools?.find(({ name }) => name === tool);
    if (found?.annotations?.readOnlyHint === true) lines.push(String(line));
  }
  if (lines.length === 0) return;
  try {
    const sessionId = crypto.randomUUID();
    const request = { path: note, sessionId, choice: { blocks: lines }, again: false };
    await runNote(request, vault, { signal });
  } catch (error) {
    // The note was changed or removed meanwhile; the next change is reported and run again.
    tell(error);
  }
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

function describe({ note, blocks, problems, error }: Listing, paint?: Paint): string {
  if (error !== undefined) return advisedText(error);
  const mistakes = describeBindingProblems(note, problems);
  if (blocks.length === 0) return `${note} has no tool blocks.\n${mistakes}`;
  return `${note}\n${describeBlocks(blocks, paint).replace(/^(?=.)/gm, '  ')}${mistakes}`;
}
