import { findToolBlocks, scan } from '@errand/document';
import type { Host, NoteStore } from '@errand/host';
import { chooseKeyed, keyBlocks, type NoteRunEvent, type NoteRuns } from '@errand/workspace/runs';
import { z } from 'zod';
import type { BlockEnd, WorkbenchEvent } from '../../contract.ts';
import { asFailure } from '../http/answer-failure.ts';
import { ApiError } from '../http/api-error.ts';

export interface RunBlocksPorts {
  readonly host: Pick<Host, 'servers'>;
  readonly notes: NoteStore;
  readonly runs: NoteRuns;
}

/** Which blocks of a note to run; without keys all. */
export const runSchema = z.strictObject({
  keys: z.array(z.string()).max(10_000).readonly().exactOptional(),
  /** Only those that never ran, failed, or have changed. */
  stale: z.boolean().exactOptional(),
  /** Replaces results that were edited by hand. */
  force: z.boolean().exactOptional(),
  /** Also runs finished blocks whose tool may act a second time; one block by itself always runs. */
  again: z.boolean().exactOptional(),
});

/** Starts blocks of a note; resolves before they have run. */
export async function runBlocks(
  path: string,
  { force = false, again, ...choice }: z.output<typeof runSchema>,
  { host, notes, runs }: RunBlocksPorts,
  signal: AbortSignal,
) {
  const text = await notes.read(path, signal);
  const blocks = keyBlocks(findToolBlocks(scan(text), host.servers.noteContext(path)));
  const { chosen, unmet } = chooseKeyed(blocks, choice);
  if (unmet.length > 0) {
    throw new ApiError('conflict', 'The note was changed and no longer holds this block.');
  }
  const run = { path, text, blocks: chosen, force, again: again ?? choice.keys?.length === 1 };
  const { id, keys } = runs.start(run, notes);
  return { runId: id, keys };
}

/** The event that pages get for an event of a run. */
export function describeRunEvent(event: NoteRunEvent): WorkbenchEvent {
  switch (event.kind) {
    case 'run-started':
      return event;
    case 'block-changed': {
      const { outcome, ...changed } = event;
      return { ...changed, end: outcome && blockEnd(event.key, outcome) };
    }
    case 'run-ended': {
      const { outcomes, error, ...ended } = event;
      const results = [...outcomes].map(([key, outcome]) => blockEnd(key, outcome));
      return { ...ended, results, error: error === null ? null : asFailure(error) };
    }
  }
}

type BlockOutcome = NonNullable<Extract<NoteRunEvent, { kind: 'block-changed' }>['outcome']>;

function blockEnd(key: string, { server: _, tool: __, ...outcome }: BlockOutcome): BlockEnd {
  return { key, ...outcome };
}
