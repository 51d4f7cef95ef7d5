import type { BlockOutcome, Notice } from '@errand/host';
import { countOutcomes } from '@errand/workspace/runs';
import { firstLine } from '@errand/workspace/text';
import { inObsidian } from '../text/advice.ts';

const reasonsShown = 5;

/** How a run of several blocks ended, in words: how many of each kind, and why those failed that did. */
export function describeRunEnd(note: string, runs: readonly BlockOutcome[]): Notice {
  const failed = runs.filter(({ error, status }) => error !== null && status !== 'cancelled');
  const reasons = failed.slice(0, reasonsShown).map(reasonOf);
  const more = failed.length - reasons.length;
  if (more > 0) reasons.push(`… and ${more} more: each says why at its block.`);
  return {
    level: failed.some(isFailure) ? 'error' : reasons.length > 0 ? 'warning' : 'info',
    message: `${note}: ${countOutcomes(runs)}`,
    ...(reasons.length > 0 && { detail: reasons.join('\n') }),
  };
}

function isFailure({ status }: BlockOutcome): boolean {
  return status === 'error' || status === 'timeout';
}

/** `Line 9, mail · send: The server said no.` */
function reasonOf({ line, server, tool, error }: BlockOutcome): string {
  const what = [server, tool].filter((part) => part !== null).join(' · ');
  const why = error === null ? '' : firstLine(inObsidian(error));
  return `Line ${line}${what === '' ? '' : `, ${what}`}: ${why}`;
}
