import type { BlockOutcome, Notice } from '@errand/host';
import { countOutcomes, isAlreadyDone } from '@errand/workspace/runs';
import { firstLine } from '@errand/workspace/text';
import { inObsidian } from '../text/advice.ts';

const reasonsShown = 5;

/** How a run of several blocks ended, in words: how many of each kind, and why those failed that did. */
export function describeRunEnd(note: string, runs: readonly BlockOutcome[]): Notice {
  const failed = runs.filter(
    (run) => run.error !== null && run.status !== 'cancelled' && !isAlreadyDone(run),
  );
  const reasons = failed.slice(0, reasonsShown).map(reasonOf);
  const more = failed.length - reasons.length;
  if (more > 0) reasons.push(`… and ${more} more: each says why at its block.`);
  const level = failed.some(isFailure) ? 'error' : reasons.length > 0 ? 'warning' : 'info';
  const left = runs.filter(isAlreadyDone).length;
  if (left > 0) {
    const which = left === 1 ? 'What is' : `The ${left} that are`;
    reasons.push(
      `${which} already done: run the command “Errand: Run note again” to run all again.`,
    );
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
function reasonOf({ line, server, language, tool, error }: BlockOutcome): string {
  const what = [server ?? language, tool].filter((part) => part).join(' · ');
  const why = error === null ? '' : firstLine(inObsidian(error));
  return `Line ${line}${what === '' ? '' : `, ${what}`}: ${why}`;
}
