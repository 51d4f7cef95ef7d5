import type { ServerSnapshot } from '@errand/host';
import {
  describeServerState,
  type RunningTest,
  type StateDescription,
} from '@errand/workspace/servers';
import { describeThrown, inObsidian } from './advice.ts';

/** Describes a server's state with Obsidian's advice. */
export function describeState(
  snapshot: ServerSnapshot,
  test: RunningTest | undefined,
): StateDescription {
  return describeServerState(snapshot, {
    say: inObsidian,
    failedTest: test?.error === undefined ? undefined : describeThrown(test.error),
  });
}
