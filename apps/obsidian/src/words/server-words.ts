import type { ServerView } from '@errand/workspace/forms';
import type { RunningTest } from '@errand/workspace/servers';
import { describeServerState, type ServerWords } from '@errand/workspace/words';
import { failureInWords, inObsidianWords } from './in-obsidian-words.ts';

/** How a server is, in words of Obsidian. */
export function serverWords(view: ServerView, test: RunningTest | undefined): ServerWords {
  return describeServerState({
    ...view,
    problem: view.problem === null ? null : inObsidianWords(view.problem.message),
    failedTest: failureInWords(test) ?? null,
  });
}
