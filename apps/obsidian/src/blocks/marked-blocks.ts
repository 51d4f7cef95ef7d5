import type { KeyedBlock } from '@errand/workspace/runs';

/** What of an editor decides where run marks stand; places are offsets in its text. */
export interface MarkedEditor {
  readonly isLivePreview: boolean;
  readonly visible: readonly Stretch[];
  readonly selected: readonly Stretch[];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The requests beside whose first line a run mark stands: all that can be seen where the source is shown;
 * in Live Preview only the one that the cursor is in, because the others are cards, and those whose language is a
 * misspelled server, which have no card.
 */
export function markedBlocks(
  blocks: readonly KeyedBlock[],
  { isLivePreview, visible, selected }: MarkedEditor,
): readonly KeyedBlock[] {
  const touches = (block: Stretch, stretches: readonly Stretch[]) =>
    stretches.some(({ from, to }) => from <= block.to && to >= block.from);
  return blocks.filter(
    ({ block: { fence, problem } }) =>
      touches(fence, visible) &&
      (!isLivePreview || touches(fence, selected) || problem?.isForeign === true),
  );
}
