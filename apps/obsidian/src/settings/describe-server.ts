import type { RunningTest } from '@errand/host';
import { describeState, type ServerView, toolCount } from '@errand/host/forms';
import { inObsidianWords } from './in-obsidian-words.ts';
import { timeAgo } from './time-ago.ts';

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
  const error = test?.error instanceof Error ? { message: test.error.message } : null;
  const { state, tone, reason } = describeState({ ...view, test: { error } }, inObsidianWords);
  const isConnected = view.connectionState === 'connected';
  const ago = view.lastConnectedAt === null ? '' : ` · ${timeAgo(view.lastConnectedAt, now)}`;
  const facts = [
    ...(isConnected && view.tools !== null ? [toolCount(view.tools)] : []),
    ...(isConnected && view.latencyMs !== null
      ? [`answers in ${Math.round(view.latencyMs)} ms`]
      : []),
    ...timed('Last connected', view.lastConnectedAt, now),
    ...timed('Last attempt', view.lastAttemptAt, now),
    ...timed('Last failure', view.lastFailureAt, now),
    ...(view.nextRetryAt === null ? [] : [`Next try in ${secondsUntil(view.nextRetryAt, now)} s`]),
  ];
  const isUntrusted = view.trust !== 'trusted';
  return {
    value: isUntrusted ? 'not yet agreed on this computer' : `${state.toLowerCase()}${ago}`,
    needsAttention: tone === 'bad' || tone === 'warn',
    lines: [
      isUntrusted ? 'Not yet agreed on this computer' : state,
      reason ?? '',
      facts.join(' · '),
    ].filter((line) => line !== ''),
  };
}

function timed(what: string, time: number | null, now: number): readonly string[] {
  return time === null ? [] : [`${what} ${timeAgo(time, now)}`];
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1_000));
}
