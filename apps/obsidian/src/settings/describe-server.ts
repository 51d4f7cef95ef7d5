import type { ServerSnapshot } from '@errand/host';
import type { RunningTest } from '@errand/workspace/servers';
import { serverFacts } from '@errand/workspace/servers';
import { ago, countdown } from '@errand/workspace/text';
import { describeState } from '../text/describe-state.ts';

/** How a server is, as the settings show it. */
export interface ServerSummary {
  /** `connected · 2 min ago`. */
  readonly value: string;
  /** A person has to look at it. */
  readonly needsAttention: boolean;
  /** State, reason and times, a line each. */
  readonly lines: readonly string[];
}

export function describeServer(
  snapshot: ServerSnapshot,
  test: RunningTest | undefined,
  now: number,
): ServerSummary {
  const { label, tone, reason } = describeState(snapshot, test);
  const { lastConnectedAt, retryState } = snapshot;
  const since = lastConnectedAt === undefined ? '' : ` · ${ago(now - lastConnectedAt)}`;
  const facts = [
    ...serverFacts(snapshot),
    ...timed('Last connected', lastConnectedAt, now),
    ...timed('Last attempt', snapshot.lastAttemptAt, now),
    ...timed('Last failure', snapshot.lastFailureAt, now),
    ...(retryState.nextRetryAt === undefined
      ? []
      : [`Next try ${countdown(retryState.nextRetryAt - now)}`]),
  ];
  const isUntrusted = snapshot.trust !== 'trusted';
  return {
    value: isUntrusted ? 'not yet agreed on this computer' : `${label.toLowerCase()}${since}`,
    needsAttention: tone === 'bad' || tone === 'warn',
    lines: [
      isUntrusted ? 'Not yet agreed on this computer' : label,
      reason ?? '',
      facts.join(' · '),
    ].filter((line) => line !== ''),
  };
}

function timed(what: string, time: number | undefined, now: number): readonly string[] {
  return time === undefined ? [] : [`${what} ${ago(now - time)}`];
}
