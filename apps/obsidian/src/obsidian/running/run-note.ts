import { type BlockChoice, HostError } from '@errand/host';
import {
  type ChosenBlocks,
  chooseInNote,
  type RunBlocksPorts,
  runChosen,
} from '@errand/workspace/runs';
import type { TFile } from 'obsidian';
import { changeInSteps, noteOf } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { runnableNote } from '../runnable-note.ts';

/** The blocks of a note that a run is about. */
export type ChosenNote = ChosenBlocks<TFile>;

/** What runs of blocks are made with. */
export function runPorts({ vault, blocks, runs, trustQuestions }: OpenPlugin): RunBlocksPorts {
  return { host: vault.host, blocks, runs, trustQuestions };
}

/** Reads a note and picks the blocks that were asked for. */
export function chooseBlocksOf(
  open: OpenPlugin,
  file: TFile,
  choice: BlockChoice,
): Promise<ChosenNote> {
  return chooseInNote(open, file, noteOf(open.plugin.app, file), choice);
}

/** Runs blocks of a note in their order, each answer in a step of undo of its own. */
export function runBlocksOf(
  open: OpenPlugin,
  chosen: ChosenNote,
  options: Parameters<typeof runChosen>[3],
): ReturnType<typeof runChosen> {
  return runChosen(open, chosen, runnableNote(open, chosen.note, changeInSteps), options);
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
