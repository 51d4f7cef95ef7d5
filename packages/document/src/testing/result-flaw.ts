import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { addMove, type Move, movedBlock, noMove } from '../blocks/moved-block.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { applyEdits } from '../edits.ts';
import { removeResult } from '../results/remove-result.ts';
import { withoutResults } from '../results/without-results.ts';
import { writeResult } from '../results/write-result.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { scan } from '../scan/scan.ts';
import { outlineOf } from '../sections/outline.ts';
import { contextOf } from './note-context.ts';

const context = contextOf(['weather']);

/**
 * Writes a result below every request of a note and says what went wrong, if anything did: the requests
 * and headings must stay the same, each result fresh, a second write must change nothing, and removing
 * a result must give back the bytes of before.
 */
export function resultFlaw(note: string, payloads: readonly string[]): string | null {
  let text = note;
  const { length } = blocksOf(note);
  for (let index = 0; index < length; index++) {
    const before = scan(text);
    const block = findToolBlocks(before, context)[index];
    if (block === undefined) return 'a request is gone';
    const payload = payloads[index % payloads.length] ?? '';
    const content = { status: 'success', type: 'text', payload } as const;
    const written = writeResult(before, block, content, { force: true });
    if (written.kind === 'refused') {
      if (block.fence.isClosed && block.result?.isClosed !== false)
        return `refused: ${written.message}`;
      continue;
    }
    if (written.kind === 'unchanged') continue;
    const after = applyEdits(text, [written.edit]);
    const flaw =
      flawAfter(before.text, after, block, index, content) ??
      movedFlaw(before, after, addMove(noMove, before.text, [written.edit]));
    if (flaw !== null) return `${flaw} in ${JSON.stringify(after)}`;
    text = after;
  }
  return null;
}

function flawAfter(
  before: string,
  after: string,
  block: ToolBlock,
  index: number,
  content: Parameters<typeof writeResult>[2],
): string | null {
  if (essence(before) !== essence(after)) return 'other requests or headings';
  const now = scan(after);
  const fresh = findToolBlocks(now, context)[index];
  if (fresh?.result?.isEdited !== false) return 'the result is not as written';
  if (fresh.problem === null && fresh.state !== 'fresh') return `the state is ${fresh.state}`;
  if (writeResult(now, fresh, content).kind !== 'unchanged')
    return 'a second write changes something';
  if (withoutResults(now) !== withoutResults(scan(before))) return 'it shows without results';
  if (block.result !== null) return null;
  return applyEdits(after, removeResult(fresh)) === before ? null : 'removing it leaves a trace';
}

/** Blocks below the result must be where it moved them, without another look at the note. */
function movedFlaw(before: NoteScan, after: string, move: Move): string | null {
  const now = blocksOf(after);
  const moved = findToolBlocks(before, context).map((block) => movedBlock(block, move));
  const wrong = moved.findIndex(
    (block, at) => block !== undefined && JSON.stringify(block) !== JSON.stringify(now[at]),
  );
  return wrong < 0 ? null : `block ${wrong} is not where it was moved to`;
}

function blocksOf(text: string): readonly ToolBlock[] {
  return findToolBlocks(scan(text), context);
}

/** What writing a result must not change. */
function essence(text: string): string {
  const blocks = blocksOf(text).map(({ source, server, tool, id, section, problem, req }) => [
    ...[source, server, tool, id, section, problem?.code, req],
  ]);
  return JSON.stringify([blocks, outlineOf(scan(text)).map(({ heading }) => heading.text)]);
}
