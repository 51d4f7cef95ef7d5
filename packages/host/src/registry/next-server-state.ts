import { HostError, type HostErrorCode } from '../host-error.ts';
import type { ServerContext, ServerEffect, ServerEvent, ServerState } from './server-state.ts';

export interface ServerStep {
  readonly state: ServerState;
  readonly effects: readonly ServerEffect[];
}

/** Decides what an event means for a server. Pure: the runner carries the effects out. */
export function nextServerState(
  state: ServerState,
  event: ServerEvent,
  context: ServerContext,
): ServerStep {
  if (state.phase === 'closed' || ('round' in event && event.round !== state.round)) {
    return { state, effects: [] };
  }
  switch (event.kind) {
    case 'used':
      // A failure that only a person can mend has no next try planned: using the server is the try.
      return state.phase === 'disconnected' || (state.phase === 'error' && !state.dueAt)
        ? connect(freshCycle(state), context)
        : { state, effects: [] };
    case 'try-now':
      return tryNow(state, context);
    case 'enabled':
      return state.phase === 'disabled'
        ? { state: { ...forget(state), phase: 'disconnected', failureCount: 0 }, effects: [] }
        : { state, effects: [] };
    case 'disabled':
      return {
        state: { ...plain(state, 'disabled'), attempt: 0 },
        effects: [{ kind: 'retire-connection' }, { kind: 'fail-waiting', error: event.reason }],
      };
    case 'entry-changed':
      return entryChanged(state, context);
    case 'closed':
      return {
        state: { ...plain(state, 'closed'), reason: event.reason },
        effects: [{ kind: 'retire-connection' }, { kind: 'fail-waiting', error: event.reason }],
      };
    case 'connect-done':
      return connected(state, event.toolCount, context);
    case 'connect-failed':
      return state.phase === 'connecting'
        ? failed(state, event.error, context)
        : { state, effects: [] };
    case 'connection-lost':
      return state.phase === 'connected'
        ? lost(state, event.error, context)
        : { state, effects: [] };
    case 'timer-fired':
      return timerFired(state, context);
    case 'health-good':
      return healthGood(state, event.latency, context);
    case 'health-missed':
      return healthMissed(state, context);
    case 'tools-read':
      return {
        state: { ...state, toolCount: event.toolCount },
        effects: [{ kind: 'announce', event: 'tools-changed' }],
      };
  }
}

function tryNow(state: ServerState, context: ServerContext): ServerStep {
  if (state.phase === 'error' || state.phase === 'disconnected') {
    return connect({ ...freshCycle(state), isRecovering: state.isRecovering }, context);
  }
  return state.phase === 'connected' && state.checkStartedAt === undefined
    ? checkHealth(state, context)
    : { state, effects: [] };
}

function entryChanged(state: ServerState, context: ServerContext): ServerStep {
  if (state.phase === 'disabled' || state.phase === 'disconnected') return { state, effects: [] };
  const step = connect(freshCycle(state), context);
  return { ...step, effects: [{ kind: 'retire-connection' }, ...step.effects] };
}

function connect(state: ServerState, { now }: ServerContext): ServerStep {
  const round = state.round + 1;
  return {
    state: { ...plain(state, 'connecting'), round, lastAttemptAt: now },
    effects: [{ kind: 'connect', round }],
  };
}

function connected(
  state: ServerState,
  toolCount: number,
  { now, name, plan }: ServerContext,
): ServerStep {
  const { reason: _mended, ...rest } = plain(state, 'connected');
  const announce: ServerEffect[] = [
    { kind: 'save', change: { lastConnectedAt: now, failureCount: 0 } },
    { kind: 'announce', event: 'server-connected' },
  ];
  if (state.isRetry) {
    const message = `MCP server ${name} connected again`;
    announce.push({ kind: 'notify', notice: { level: 'info', message, server: name } });
  }
  return {
    state: {
      ...rest,
      failureCount: 0,
      isRecovering: false,
      isProven: false,
      missedChecks: 0,
      toolCount,
      lastConnectedAt: now,
      dueAt: now + plan.healthInterval,
    },
    effects: announce,
  };
}

function lost(state: ServerState, error: HostError, context: ServerContext): ServerStep {
  const step = failed({ ...state, isRecovering: true }, error, context);
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
function failed(state: ServerState, error: HostError, context: ServerContext): ServerStep {
  const { now, name, plan } = context;
  const counts = state.isRetry && !state.isProven;
  const attempt = counts ? state.attempt + 1 : state.attempt;
  const failureCount = counts ? state.failureCount + 1 : state.failureCount;
  const next = { ...plain(state, 'error'), attempt, failureCount, lastFailureAt: now };

  if (needsPerson.has(error.code)) {
    const notice = { level: 'warning' as const, message: error.message, server: name };
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
  const effects: ServerEffect[] = [];
  if (!state.isRetry || state.isProven) {
    const message = `MCP server ${name} disconnected, retrying...`;
    const notice = { level: 'warning' as const, message, detail: error.message, server: name };
    effects.push({ kind: 'notify', notice });
  }
  if (counts) effects.push({ kind: 'save', change: { failureCount } });
  // Who waits for a server that never came up learns at once why; a lost one is worth waiting for.
  if (!state.isRecovering) effects.push({ kind: 'fail-waiting', error });
  return {
    state: {
      ...next,
      isRetry: true,
      isProven: false,
      reason: error,
      dueAt: now + (plan.backoffIntervals[attempt] ?? 0) + jitter,
    },
    effects,
  };
}

function giveUp(state: ServerState, error: HostError, context: ServerContext): ServerStep {
  const { now, name, plan } = context;
  const failureCount = plan.backoffIntervals.length;
  const message = `MCP server ${name} auto-disabled after ${failureCount} failures`;
  const detail = `${error.message} When that is mended: errand servers enable ${name}`;
  const reason = new HostError(error.code, `${message}. ${detail}`, error.facts, { cause: error });
  return {
    state: { ...plain(state, 'disabled'), failureCount, reason, autoDisabledAt: now },
    effects: [
      { kind: 'save', change: { enabled: false, autoDisabled: true, failureCount } },
      { kind: 'notify', notice: { level: 'error', message, detail, server: name } },
      { kind: 'announce', event: 'server-auto-disabled' },
      { kind: 'fail-waiting', error: reason },
    ],
  };
}

function timerFired(state: ServerState, context: ServerContext): ServerStep {
  const slept = context.now - (state.dueAt ?? context.now) > context.plan.sleepThreshold;
  if (state.phase === 'error') return connect(slept ? { ...state, attempt: 0 } : state, context);
  if (state.phase !== 'connected') return { state, effects: [] };
  return slept ? checkSoon(state, context) : checkHealth(state, context);
}

function checkHealth(state: ServerState, { now }: ServerContext): ServerStep {
  return {
    state: { ...plain(state, 'connected'), checkStartedAt: now },
    effects: [{ kind: 'check-health', round: state.round }],
  };
}

/** After a sleep the network needs a moment, and what was missed meanwhile says nothing. */
function checkSoon(state: ServerState, { now, plan }: ServerContext): ServerStep {
  const dueAt = now + Math.min(plan.healthDeadline, plan.healthInterval);
  return { state: { ...plain(state, 'connected'), missedChecks: 0, dueAt }, effects: [] };
}

function healthGood(state: ServerState, latency: number, context: ServerContext): ServerStep {
  if (state.phase !== 'connected') return { state, effects: [] };
  const { now, plan } = context;
  return {
    state: {
      ...plain(state, 'connected'),
      attempt: 0,
      isRetry: false,
      isProven: true,
      missedChecks: 0,
      lastPingAt: now,
      pingLatency: latency,
      dueAt: now + plan.healthInterval,
    },
    effects: [],
  };
}

function healthMissed(state: ServerState, context: ServerContext): ServerStep {
  if (state.phase !== 'connected') return { state, effects: [] };
  const { now, name, plan } = context;
  const took = now - (state.checkStartedAt ?? now);
  if (took > plan.healthDeadline + plan.sleepThreshold) return checkSoon(state, context);
  const missedChecks = state.missedChecks + 1;
  if (missedChecks >= 2) {
    const message = `Server "${name}" did not answer two health checks in a row.`;
    const error = new HostError('server_unavailable', message, { server: name });
    return lost({ ...state, missedChecks }, error, context);
  }
  const dueAt = now + plan.healthInterval;
  return { state: { ...plain(state, 'connected'), missedChecks, dueAt }, effects: [] };
}

/** The state in another phase with no timer running and no check under way. */
function plain(state: ServerState, phase: ServerState['phase']): ServerState {
  const { dueAt: _timer, checkStartedAt: _check, ...rest } = state;
  return { ...rest, phase };
}

function freshCycle(state: ServerState): ServerState {
  return { ...state, attempt: 0, isRetry: false, isProven: false, isRecovering: false };
}

function forget(state: ServerState): ServerState {
  const { reason: _reason, autoDisabledAt: _at, ...rest } = freshCycle(state);
  return rest;
}

/** Trying again by itself cannot mend these. */
const needsPerson: ReadonlySet<HostErrorCode> = new Set([
  'login_required',
  'secret_missing',
  'settings_invalid',
  'untrusted',
]);
