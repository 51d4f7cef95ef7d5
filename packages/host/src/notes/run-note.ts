import { findToolBlocks, resolveSections, scan } from '@errand/document';
import type { Host } from '../create-host.ts';
import { type BlockChoice, chooseBlocks } from './choose-blocks.ts';
import { createLimiter, type Limiter } from './create-limiter.ts';
import { noSuchBlock } from './no-such-block.ts';
import type { NoteRun } from './note-run.ts';
import { NoteWriter } from './note-writer.ts';
import { runBlock } from './run-block.ts';
import type { RunNoteOptions, RunNotePorts } from './run-note-ports.ts';

export interface RunNoteRequest {
  /** The note's path in the vault, with forward slashes. */
  readonly path: string;
  /** The text whose blocks are run; without it, the note is read. Results go into the note as it is by then. */
  readonly text?: string;
  readonly sessionId: string;
  readonly choice?: BlockChoice;
  /** Replaces results that were edited by hand. */
  readonly force?: boolean;
  /** Limits the calls that are made at once, also of several notes; the host's own limit holds in any case. */
  readonly limiter?: Limiter;
  /** Calls this run may make; without it, as many as there are blocks. */
  readonly limit?: number;
}

/** Runs the blocks of a note that were asked for and writes each result below its block. */
export async function runNote(
  request: RunNoteRequest,
  ports: RunNotePorts,
  options: RunNoteOptions = {},
): Promise<NoteRun> {
  const { path, sessionId, choice = {}, force = false, limit } = request;
  const { host, notes } = ports;
  const context = host.servers.noteContext(path);
  const note = scan(request.text ?? (await notes.read(path, options.signal)));
  const blocks = findToolBlocks(note, context);
  const { chosen, unmet } = chooseBlocks(blocks, choice);
  if (unmet.length > 0) throw noSuchBlock(path, unmet);
  // A tool must not act when its answer has no place.
  if (chosen.length > 0) await notes.ensureWritable(path, options.signal);
  // A person who runs a note with many blocks has seen how many there are.
  host.sessions.setLimit(sessionId, limit ?? Math.max(chosen.length, sessionLimit(host)));
  const before = { scan: note, blocks };
  const writer = new NoteWriter({ path, notes, context, before, expected: chosen, force });
  const limiter = request.limiter ?? createLimiter(chosen.length);
  const place = { path, sessionId, force, writer, limiter, ports, options };
  const ends = await Promise.allSettled(chosen.map((block) => runBlock(block, place)));
  // A defect in one block is thrown after the others have ended, so that none keeps running unobserved.
  const results = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  const { problems } = resolveSections(note, context);
  return { note: path, changed: results.some(({ written }) => written), results, problems };
}

function sessionLimit(host: Pick<Host, 'servers'>): number {
  const { mcpSessionLimit } = host.servers.settings;
  return mcpSessionLimit === -1 ? Number.POSITIVE_INFINITY : mcpSessionLimit;
}
