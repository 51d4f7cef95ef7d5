import type { ToolBlock } from '@errand/document';
import {
  type BlockChoice,
  type BlockOutcome,
  type Host,
  HostError,
  type NoteStore,
  type ServerConfig,
} from '@errand/host';
import type { TrustQuestions } from '../questions/trust-questions.ts';
import { chooseKeyed, type KeyedBlock } from './key-blocks.ts';
import type { NoteBlocks } from './note-blocks.ts';
import type { NoteRuns } from './note-runs.ts';

/** Dependencies of runs that a person asks for. */
export interface RunBlocksPorts {
  readonly host: Pick<Host, 'servers'>;
  readonly blocks: NoteBlocks;
  readonly runs: NoteRuns;
  readonly trustQuestions: TrustQuestions;
}

/** A note that may be renamed meanwhile. */
interface NamedNote {
  readonly path: string;
}

/** The blocks of a note that a run is about, with the text they were found in. */
export interface ChosenBlocks<Note extends NamedNote> {
  readonly note: Note;
  readonly text: string;
  readonly all: readonly KeyedBlock[];
  readonly chosen: readonly KeyedBlock[];
  /** Selectors that match no block. */
  readonly unmet: readonly string[];
}

/** Reads a note and picks the blocks that were asked for. */
export async function chooseInNote<Note extends NamedNote>(
  { blocks }: Pick<RunBlocksPorts, 'blocks'>,
  note: Note,
  notes: Pick<NoteStore, 'read'>,
  choice: BlockChoice,
): Promise<ChosenBlocks<Note>> {
  const text = await notes.read(note.path);
  const all = blocks.of(note.path, text);
  return { note, text, all, ...chooseKeyed(all, choice) };
}

/** The servers that the blocks would ask; not those of blocks that will not be called in any case. */
export function serversOf(
  { host }: Pick<RunBlocksPorts, 'host'>,
  chosen: readonly KeyedBlock[],
): readonly ServerConfig[] {
  const names = new Set(
    chosen.flatMap(({ block: { server, problem, refusal } }) =>
      server === null || problem !== null || refusal !== null ? [] : server,
    ),
  );
  return [...names]
    .flatMap((name) => host.servers.find(name) ?? [])
    .filter(({ enabled }) => enabled);
}

interface RunChoice {
  readonly force: boolean;
  /** Also runs finished blocks whose tool may act a second time. */
  readonly again: boolean;
  readonly onEnd?: (outcome: BlockOutcome) => void;
}

/** Runs blocks of a note in their order; reports each outcome as it comes, and returns all in the order of the note. */
export async function runChosen(
  { runs }: Pick<RunBlocksPorts, 'runs'>,
  { note: { path }, text, chosen }: ChosenBlocks<NamedNote>,
  notes: NoteStore,
  { force, again, onEnd }: RunChoice,
): Promise<readonly BlockOutcome[]> {
  const { outcomes } = runs.start({ path, text, blocks: chosen, force, again }, notes);
  if (onEnd !== undefined) for (const outcome of outcomes) outcome.then(onEnd, () => {});
  return Promise.all(outcomes);
}

/**
 * Runs one block of a note, as the note is now; the first time, the person is asked about its server. Nothing when
 * they do not agree.
 */
export async function runOneBlock(
  { host, blocks, runs, trustQuestions }: RunBlocksPorts,
  note: NamedNote,
  notes: NoteStore,
  key: string,
  { force, agree }: { readonly force: boolean; readonly agree: string },
): Promise<BlockOutcome | undefined> {
  const find = async () => {
    const text = await notes.read(note.path);
    return { text, block: blockIn(blocks.of(note.path, text), key) };
  };
  const { block } = await find();
  const server = host.servers.find(block.server ?? '');
  // A call that the section forbids is refused anyway, so its server needs no approval.
  const isAsked = server !== undefined && block.refusal === null;
  if (isAsked && !(await trustQuestions.ensure([server], agree))) return undefined;
  // What was asked about is run, or nothing: the note may have been changed meanwhile.
  const wanted = await find();
  const toRun = [{ key, block: wanted.block }];
  const started = runs.start(
    { path: note.path, text: wanted.text, blocks: toRun, force, again: true },
    notes,
  );
  return started.outcomes[0];
}

function blockIn(blocks: readonly KeyedBlock[], key: string): ToolBlock {
  const found = blocks.find((each) => each.key === key);
  if (found !== undefined) return found.block;
  throw new HostError('note_changed', 'The note was changed and no longer holds this block.');
}
