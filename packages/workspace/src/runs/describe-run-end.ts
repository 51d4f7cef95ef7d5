import type { BlockOutcome, ErrorInfo, Notice } from '@errand/host';
import { firstLine } from '../text/shorten.ts';
import { countOutcomes, isAlreadyDone } from './describe-outcomes.ts';

const reasonsShown = 5;

/** What a face says of a run in its own words. */
export interface RunEndWords {
  /** A failure with the face's advice. */
  say(error: ErrorInfo): string;
  /** How finished blocks are run all the same. */
  readonly runAgain: string;
}

/** How a run of several blocks ended, in words: how many of each kind, and why those failed that did. */
export function describeRunEnd(
  note: string,
  runs: readonly BlockOutcome[],
  { say, runAgain }: RunEndWords,
): Notice {
  const failed = runs.filter(
    (run) => run.error !== null && run.status !== 'cancelled' && !isAlreadyDone(run),
  );
  const reasons = failed.slice(0, reasonsShown).map((run) => reasonOf(run, say));
  const more = failed.length - reasons.length;
  if (more > 0) reasons.push(`… and ${more} more: each says why at its block.`);
  const level = failed.some(isFailure) ? 'error' : reasons.length > 0 ? 'warning' : 'info';
  const left = runs.filter(isAlreadyDone).length;
  if (left > 0) {
    const which = left === 1 ? 'What is' : `The ${left} that are`;
    reasons.push(`${which} already done: ${runAgain}`);
  }
  return {
    level,
    message: `${note}: ${countOutcomes(runs)}`,
    ...(reasons.length > 0 && { detail: reasons.join('\n') }),
  };
}

function isFailure({ status }: BlockOutcome): boolean {
  return status === 'error' || status === 'timeout';
}

/** `Line 9, mail · send: The server said no.` */
function reasonOf(
  { line, server, language, tool, error }: BlockOutcome,
  say: RunEndWords['say'],
): string {
  const what = [server ?? language, tool].filter((part) => part).join(' · ');
  const why = error === null ? '' : firstLine(say(error));
  return `Line ${line}${what === '' ? '' : `, ${what}`}: ${why}`;
}
