import type { ServerSnapshot } from '@errand/host';
import {
  describeServerState,
  type RunningTest,
  type StateDescription,
} from '@errand/workspace/servers';
import { describeThrown, inObsidian } from './advice.ts';

/** How a server is, in words of Obsidian. */
export function describeState(
  snapshot: ServerSnapshot,
  test: RunningTest | undefined,
): StateDescription {
  return describeServerState(snapshot, {
    say: inObsidian,
    failedTest: test?.error === undefined ? undefined : describeThrown(test.error),
  });
}
