import type { ServerSnapshot } from '@errand/host';
import {
  describeServerState,
  type RunningTest,
  type StateDescription,
} from '@errand/workspace/servers';
import { failureInWords, inObsidianWords } from './in-obsidian-words.ts';

/** How a server is, in words of Obsidian. */
export function describeState(
  snapshot: ServerSnapshot,
  test: RunningTest | undefined,
): StateDescription {
  return describeServerState(snapshot, {
    say: ({ message }) => inObsidianWords(message),
    failedTest: failureInWords(test),
  });
}
