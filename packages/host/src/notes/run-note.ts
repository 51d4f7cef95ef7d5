import { findToolBlocks, resolveSections, scan } from '@errand/document';
import type { Host } from '../create-host.ts';
import { type BlockChoice, chooseBlocks } from './choose-blocks.ts';
import { createLimiter, type Limiter } from './create-limiter.ts';
import { createToolLookup, decideCall } from './decide-call.ts';
import { noSuchBlock } from './no-such-block.ts';
import type { NoteRun } from './note-run.ts';
import { NoteWriter } from './note-writer.ts';
import { runBlock, signalOf } from './run-block.ts';
import { runInOrder } from './run-in-order.ts';
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
  /**
   * Also runs finished blocks whose tool may act a second time. Without it they are left as they are, unless
   * one block is asked for by itself.
   */
  readonly again?: boolean;
  /** Limits the calls that are made at once, also of several notes; the host's own limit holds in any case. */
  readonly limiter?: Limiter;
  /** Calls this run may make; without it, as many as there are blocks. */
  readonly limit?: number;
}

/**
 * Runs the blocks of a note that were asked for and writes each result below its block. A block whose tool
 * may change something waits for all above it and holds all below it; the others run side by side (D27).
 */
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
  const found = chooseBlocks(blocks, choice, note);
  if (found.unmet.length > 0) throw noSuchBlock(path, choice, found, blocks);
  const { chosen } = found;
  // A tool must not act when its answer has no place.
  if (chosen.length > 0) await notes.ensureWritable(path, options.signal);
  // A person who runs a note with many blocks has seen how many there are.
  host.sessions.setLimit(sessionId, limit ?? Math.max(chosen.length, sessionLimit(host)));
  const before = { scan: note, blocks };
  const writer = new NoteWriter({ path, notes, context, before, expected: chosen, force });
  const limiter = request.limiter ?? createLimiter(chosen.length);
  const again = request.again ?? choice.blocks?.length === 1;
  const isAlone = chosen.length === 1;
  const run = { path, sessionId, force, again, isAlone, writer, limiter, ports, options };
  const toolsOf = createToolLookup(host.servers, options.signal ?? never);
  const items = chosen.map((block) => {
    const signal = signalOf(block, options) ?? never;
    return {
      block,
      decision: decideCall(block, host.servers, { force, again, isAlone, toolsOf, signal }),
    };
  });
  const ends = await runInOrder(items, {
    onlyReads: async ({ decision }) => {
      const decided = await decision;
      return decided.kind !== 'call' || decided.onlyReads;
    },
    needsAllAbove: ({ block }) => block.references.length > 0,
    run: ({ block, decision }, turn) => runBlock(block, { decision, turn }, run),
  });
  // A defect in one block is thrown after the others have ended, so that none keeps running unobserved.
  const results = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  const { problems } = resolveSections(note, context);
  return { note: path, changed: results.some(({ written }) => written), results, problems };
}

/** For who waits without a signal. */
const never = new AbortController().signal;

function sessionLimit(host: Pick<Host, 'servers'>): number {
  const { mcpSessionLimit } = host.servers.settings;
  return mcpSessionLimit === -1 ? Number.POSITIVE_INFINITY : mcpSessionLimit;
}
