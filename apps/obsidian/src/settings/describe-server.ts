import type { ServerView } from '@errand/workspace/forms';
import type { RunningTest } from '@errand/workspace/servers';
import { ago, countdown, toolCount } from '@errand/workspace/words';
import { serverWords } from '../words/server-words.ts';

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
  view: ServerView,
  test: RunningTest | undefined,
  now: number,
): ServerSummary {
  const { state, tone, reason } = serverWords(view, test);
  const isConnected = view.connectionState === 'connected';
  const since = view.lastConnectedAt === null ? '' : ` · ${ago(now - view.lastConnectedAt)}`;
  const facts = [
    ...(isConnected && view.tools !== null ? [toolCount(view.tools)] : []),
    ...(isConnected && view.latencyMs !== null
      ? [`answers in ${Math.round(view.latencyMs)} ms`]
      : []),
    ...timed('Last connected', view.lastConnectedAt, now),
    ...timed('Last attempt', view.lastAttemptAt, now),
    ...timed('Last failure', view.lastFailureAt, now),
    ...(view.nextRetryAt === null ? [] : [`Next try ${countdown(view.nextRetryAt - now)}`]),
  ];
  const isUntrusted = view.trust !== 'trusted';
  return {
    value: isUntrusted ? 'not yet agreed on this computer' : `${state.toLowerCase()}${since}`,
    needsAttention: tone === 'bad' || tone === 'warn',
    lines: [
      isUntrusted ? 'Not yet agreed on this computer' : state,
      reason ?? '',
      facts.join(' · '),
    ].filter((line) => line !== ''),
  };
}

function timed(what: string, time: number | null, now: number): readonly string[] {
  return time === null ? [] : [`${what} ${ago(now - time)}`];
}
