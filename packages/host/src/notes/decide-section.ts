import { type BindingProblem, type Decision, resolveSections, scan } from '@errand/document';
import type { Host } from '../create-host.ts';
import type { NoteStore } from '../note-store.ts';

/** A place of a note; without a line, the note as a whole. */
export interface NotePosition {
  /** The note's path in the vault, with forward slashes. */
  readonly path: string;
  readonly line?: number;
}

/** Which server may be asked from a place of a note, and what is wrong with the note's bindings. */
interface SectionDecision {
  readonly decision: Decision;
  readonly problems: readonly BindingProblem[];
}

/** Decides for a place of a note, as its text and the settings say at this moment. */
export async function decideSection(
  { path, line = 0 }: NotePosition,
  { notes, host }: { readonly notes: NoteStore; readonly host: Pick<Host, 'servers'> },
  signal?: AbortSignal,
): Promise<SectionDecision> {
  const note = scan(await notes.read(path, signal));
  const { decide, problems } = resolveSections(note, host.servers.noteContext(path));
  return { decision: decide(line), problems };
}
