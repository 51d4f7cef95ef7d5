import type { TextEdit } from '../edits.ts';
import { countLineEnds } from '../scan/lines.ts';
import type { Container } from '../scan/note-scan.ts';
import type { ToolBlock } from './tool-block.ts';

/** How far results that were written into a note moved what is below them. */
export interface Move {
  /** Where the lowest of them ends, in the note without them. */
  readonly below: number;
  readonly characters: number;
  readonly lines: number;
}

export const noMove: Move = { below: 0, characters: 0, lines: 0 };

/** The move after further results were written, by edits of the text as it had been moved so far. */
export function addMove(move: Move, text: string, edits: readonly TextEdit[]): Move {
  let { below, characters, lines } = move;
  for (const { range, text: added } of edits) {
    const [from, to] = range;
    below = Math.max(below, to - move.characters);
    characters += added.length - (to - from);
    lines += countLineEnds(added, 0, added.length) - countLineEnds(text, from, to);
  }
  return { below, characters, lines };
}

/**
 * A block below results that were written, as reading the whole note again would find it. Undefined when only reading
 * can tell: the block is not below all of them, depends on other blocks, or has a problem that names a line.
 */
export function movedBlock(block: ToolBlock, move: Move): ToolBlock | undefined {
  const { fence, result, problem, refusal, unresolved, references } = block;
  const isAlone = (problem ?? refusal ?? unresolved) === null && references.length === 0;
  if (!isAlone || fence.from < move.below) return undefined;
  const { characters, lines } = move;
  const shifted = <
    Placed extends {
      line: number;
      endLine: number;
      from: number;
      to: number;
      container: Container | null;
    },
  >(
    placed: Placed,
  ): Placed => ({
    ...placed,
    line: placed.line + lines,
    endLine: placed.endLine + lines,
    from: placed.from + characters,
    to: placed.to + characters,
    container: movedContainer(placed.container, move),
  });
  return {
    ...block,
    line: block.line + lines,
    endLine: block.endLine + lines,
    anchor: block.anchor + characters,
    fence: shifted(fence),
    result: result && shifted(result),
  };
}

/** A container may begin above the results. */
function movedContainer(container: Container | null, move: Move): Container | null {
  if (container === null || container.from < move.below) return container;
  return {
    ...container,
    from: container.from + move.characters,
    line: container.line + move.lines,
    parent: movedContainer(container.parent, move),
  };
}
