import type { BlockOutcome } from '@errand/host';
import type { KeyedBlock } from '@errand/workspace/runs';

/** What a run wrote, block by block, each under a line that says where it stands now. */
export function describeWritten(
  chosen: readonly KeyedBlock[],
  runs: readonly BlockOutcome[],
  after: readonly KeyedBlock[],
): readonly string[] {
  return chosen.flatMap(({ key }, index) => {
    const found = after.find((each) => each.key === key)?.block;
    if (!runs[index]?.written || !found?.result) return [];
    const { server, tool, result } = found;
    return [`Line ${result.line}, ${server} · ${tool}:`, result.payload];
  });
}
