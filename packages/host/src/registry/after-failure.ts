import type { Advice } from '../advice.ts';
import { HostError, type HostErrorCode } from '../host-error.ts';
import type { Notice } from '../notifier.ts';
import {
  inPhase,
  type LifecycleContext,
  type LifecycleEffect,
  type LifecycleState,
  type LifecycleStep,
} from './lifecycle-state.ts';

/** What a lost connection means: calls wait, and the cycle of retries begins. */
export function afterLoss(
  state: LifecycleState,
  error: HostError,
  context: LifecycleContext,
): LifecycleStep {
  const step = afterFailure({ ...state, isRecovering: true }, error, context);
  return {
    state: step.state,
    effects: [
      { kind: 'drop-connection' },
      { kind: 'announce', event: 'server-lost' },
      ...step.effects,
    ],
  };
}

/** A connection could not be made, or broke. Either the next retry is planned or the server is given up. */
export function afterFailure(
  state: LifecycleState,
  error: HostError,
  context: LifecycleContext,
): LifecycleStep {
  const { now, name, plan } = context;
  if (state.isProbe) return stillGivenUp(state, error, context);
  if (isPassing(error)) return waitForIt(state, error, context);
  const attempt = state.attempt + (state.isRetry ? 1 : 0);
  const failureCount = state.failureCount + (state.isRetry ? 1 : 0);
  const next = { ...inPhase(state, 'error'), attempt, failureCount, lastFailureAt: now };

  if (needsPerson.has(error.code)) {
    const notice = noticeOf(error, name);
    return {
      state: { ...next, isRecovering: false, reason: error },
      effects: [
        { kind: 'notify', notice },
        { kind: 'fail-waiting', error },
      ],
    };
  }
  if (attempt >= plan.backoffIntervals.length) return giveUp(next, error, context);

  const jitter = context.isRemote ? Math.round(context.random * plan.remoteJitter) : 0;
  const effects: LifecycleEffect[] = [];
  if (state.isRetry) {
    effects.push({ kind: 'save', change: { failureCount } });
  } else {
    const message = state.isRecovering
      ? `MCP server ${name} disconnected, retrying...`
      : `Could not ${context.isRemote ? 'reach' : 'start'} MCP server ${name}, retrying...`;
    const notice = { ...noticeOf(error, name), message, detail: error.message };
    effects.push({ kind: 'notify', notice });
  }
  // Who waits for a server that never came up learns at once why; a lost one is worth waiting for.
  if (!state.isRecovering) effects.push({ kind: 'fail-waiting', error });
  return {
    state: {
      ...next,
      isRetry: true,
      reason: error,
      dueAt: now + (plan.backoffIntervals[attempt] ?? 0) + jitter,
    },
    effects,
  };
}

/** A cause that is not the server's fault never counts; it is waited for as long as it takes. */
function isPassing({ code, facts }: HostError): boolean {
  return code === 'docker_unavailable' || facts.isPassing === true;
}

function waitForIt(
  state: LifecycleState,
  error: HostError,
  context: LifecycleContext,
): LifecycleStep {
  const { now, name, plan } = context;
  const pause = Math.max(plan.backoffIntervals.at(-1) ?? 0, error.facts.retryAfter ?? 0);
  const isNews = state.reason?.message !== error.message;
  const notice = noticeOf(error, name);
  return {
    state: {
      ...inPhase(state, 'error'),
      lastFailureAt: now,
      reason: error,
      dueAt: now + Math.min(pause, longestPause),
    },
    effects: [
      ...(isNews ? [{ kind: 'notify' as const, notice }] : []),
      { kind: 'fail-waiting', error },
    ],
  };
}

/** However long a server asks us to stay away. */
const longestPause = 60 * 60 * 1000;

/** No second notice: the person knows that the server was given up. */
function stillGivenUp(
  state: LifecycleState,
  reason: HostError,
  context: LifecycleContext,
): LifecycleStep {
  const { now, plan } = context;
  const next = { ...inPhase(state, 'disabled'), isProbe: false, lastFailureAt: now };
  return {
    state: { ...next, dueAt: now + plan.probeInterval, reason },
    effects: [{ kind: 'fail-waiting', error: reason }],
  };
}

function giveUp(state: LifecycleState, error: HostError, context: LifecycleContext): LifecycleStep {
  const { now, name, plan } = context;
  const failureCount = plan.backoffIntervals.length;
  const message = `MCP server ${name} auto-disabled after ${failureCount} failures`;
  const { code, message: detail, facts } = error;
  // Its test shows what to fix; enabling it is the step after that.
  const advice: readonly Advice[] = [
    ...error.advice,
    { kind: 'enable-fixed-server', server: name },
  ];
  const answer = new HostError(
    code,
    `${message}. ${detail}`,
    { ...facts, headline: message, detail },
    { cause: error, advice },
  );
  return {
    state: {
      ...inPhase(state, 'disabled'),
      failureCount,
      reason: error,
      autoDisabledAt: now,
      ...(state.lastConnectedAt !== undefined && { dueAt: now + plan.probeInterval }),
    },
    effects: [
      { kind: 'save', change: { autoDisabled: { at: now, reason: error }, failureCount } },
      { kind: 'notify', notice: { level: 'error', message, detail, advice, server: name } },
      { kind: 'fail-waiting', error: answer },
    ],
  };
}

function noticeOf({ message, advice }: HostError, server: string): Notice {
  return { level: 'warning', message, ...(advice.length > 0 && { advice }), server };
}

/** Trying again by itself cannot mend these. */
const needsPerson: ReadonlySet<HostErrorCode> = new Set([
  'login_required',
  'secret_missing',
  'settings_invalid',
  'untrusted',
]);
