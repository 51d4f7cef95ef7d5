import { type BlockChoice, type BlockOutcome, HostError } from '@errand/host';
import { chooseKeyed, type KeyedBlock } from '@errand/workspace/runs';
import type { TFile } from 'obsidian';
import { changeInSteps, noteOf } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** The blocks of a note that a run is about, with the text they were found in. */
export interface ChosenNote {
  readonly file: TFile;
  readonly text: string;
  readonly all: readonly KeyedBlock[];
  readonly chosen: readonly KeyedBlock[];
  /** Selectors that match no block. */
  readonly unmet: readonly string[];
}

/** Reads a note and picks the blocks that were asked for. */
export async function chooseInNote(
  { plugin: { app }, blocks }: OpenPlugin,
  file: TFile,
  choice: BlockChoice,
): Promise<ChosenNote> {
  const text = await noteOf(app, file).read(file.path);
  const all = blocks.of(file.path, text);
  return { file, text, all, ...chooseKeyed(all, choice) };
}

/** The servers that the blocks would ask; not those of blocks that will not be called in any case. */
export function serversOf({ vault: { host } }: OpenPlugin, { chosen }: ChosenNote) {
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
  { plugin: { app }, runs }: OpenPlugin,
  { file, text, chosen }: ChosenNote,
  { force, again, onEnd }: RunChoice,
): Promise<readonly BlockOutcome[]> {
  const { path } = file;
  const { outcomes } = runs.start(
    { path, text, blocks: chosen, force, again },
    noteOf(app, file, changeInSteps),
  );
  if (onEnd !== undefined) for (const outcome of outcomes) outcome.then(onEnd, () => {});
  return Promise.all(outcomes);
}

/** A note by its path, or as a link would name it. */
export function noteNamed({ plugin: { app } }: OpenPlugin, name: string): TFile {
  const file =
    app.vault.getFileByPath(name) ??
    app.vault.getFileByPath(`${name}.md`) ??
    app.metadataCache.getFirstLinkpathDest(name, '');
  if (file?.extension === 'md') return file;
  throw new HostError('note_unreadable', `There is no note ${name}.`);
}
