import { findToolBlocks, type NoteContext, scan, type ToolBlock } from '@errand/document';
import type { Host } from '../create-host.ts';
import { type BlockChoice, chooseBlocks } from './choose-blocks.ts';
import { noSuchBlock } from './no-such-block.ts';
import type { NoteRun } from './note-run.ts';
import { NoteWriter } from './note-writer.ts';
import { runBlock } from './run-block.ts';
import type { RunNoteOptions, RunNotePorts } from './run-note-ports.ts';

export interface RunNoteRequest {
  /** The note's path in the vault, with forward slashes. */
  readonly path: string;
  readonly sessionId: string;
  readonly choice?: BlockChoice;
  /** Replaces results that were edited by hand. */
  readonly force?: boolean;
  /** Blocks of this run that run at once; the host's own limit holds in any case. */
  readonly concurrency?: number;
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
  const context: NoteContext = { servers: host.servers.list(), documentPath: path };
  const note = scan(await notes.read(path, options.signal));
  const blocks = findToolBlocks(note, context);
  const { chosen, unmet } = chooseBlocks(blocks, choice);
  if (unmet.length > 0) throw noSuchBlock(path, unmet);
  // A person who runs a note with many blocks has seen how many there are.
  host.sessions.setLimit(sessionId, limit ?? Math.max(chosen.length, sessionLimit(host)));
  const writer = new NoteWriter({ path, notes, context, before: { scan: note, blocks }, force });
  const results = await inLanes(chosen, request.concurrency ?? chosen.length, (block) =>
    runBlock(block, { path, sessionId, force, writer, ports, options }),
  );
  return { note: path, changed: results.some(({ written }) => written), results };
}

function sessionLimit(host: Pick<Host, 'servers'>): number {
  const { mcpSessionLimit } = host.servers.settings;
  return mcpSessionLimit === -1 ? Number.POSITIVE_INFINITY : mcpSessionLimit;
}

/** Works on all items, at most so many at once, and answers in their order. */
async function inLanes<Item extends ToolBlock, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const left = items.entries();
  const lane = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}
