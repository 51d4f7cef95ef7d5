import { describeServerState, type ServerWords } from '@errand/workspace/words';
import type { Server } from '../../contract.ts';
import { inPageWords } from '../model/in-page-words.ts';

/** How a server is, in words of this page. */
export function describeState(server: Server): ServerWords {
  const { problem, test } = server;
  return describeServerState({
    ...server,
    problem: problem === null ? null : inPageWords(problem.message),
    failedTest: test?.error ? inPageWords(test.error.message) : null,
  });
}
