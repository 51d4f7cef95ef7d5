import { HostError } from '../host-error.ts';
import { afterFailure, afterLoss } from './after-failure.ts';
import {
  inPhase,
  type LifecycleContext,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleState,
  type LifecycleStep,
} from './lifecycle-state.ts';

/** Decides what an event means for a server. Pure: the runner carries the effects out. */
export function nextLifecycleState(
  state: LifecycleState,
  event: LifecycleEvent,
  context: LifecycleContext,
): LifecycleStep {
  if (state.phase === 'closed' || ('round' in event && event.round !== state.round)) {
    return { state, effects: [] };
  }
  switch (event.kind) {
    case 'used':
      if (state.phase === 'disabled') return planProbe(state, context);
      // A failure that only a person can mend has no next try planned: using the server is the try.
      return state.phase === 'disconnected' ||
        (state.phase === 'error' && state.dueAt === undefined)
        ? connect(freshCycle(state), context)
        : { state, effects: [] };
    case 'try-now':
      return tryNow(state, context);
    case 'enabled':
      return state.phase === 'disabled'
        ? {
            state: { ...forget(state), phase: 'disconnected' },
            effects: [{ kind: 'save', change: { autoDisabled: null, failureCount: 0 } }],
          }
        : { state, effects: [] };
    case 'disabled':
      return {
        state: forget(inPhase(state, 'disabled')),
        effects: [{ kind: 'retire-connection' }, { kind: 'fail-waiting', error: event.reason }],
      };
    case 'entry-changed':
      return entryChanged(state, context);
    case 'closed':
      return {
        state: { ...inPhase(state, 'closed'), reason: event.reason },
        effects: [{ kind: 'retire-connection' }, { kind: 'fail-waiting', error: event.reason }],
      };
    case 'connect-done':
      return connected(state, event.toolCount, context);
    case 'connect-failed':
      return state.phase === 'connecting'
        ? afterFailure(state, event.error, context)
        : { state, effects: [] };
    case 'connection-lost':
      return state.phase === 'connected'
        ? afterLoss(state, event.error, context)
        : { state, effects: [] };
    case 'timer-fired':
      return timerFired(state, context);
    case 'health-good':
      return healthGood(state, event.latency, context);
    case 'health-missed':
      return healthMissed(state, event.isBusy, context);
    case 'tools-changed':
      return {
        state: { ...state, toolCount: event.toolCount },
        effects: [{ kind: 'announce', event: 'tools-changed' }],
      };
  }
}

/** A server that was given up in an earlier run of the program, but had worked here. */
function planProbe(state: LifecycleState, { now, plan }: LifecycleContext): LifecycleStep {
  const { autoDisabledAt, lastConnectedAt, dueAt } = state;
  const isDue =
    autoDisabledAt !== undefined && lastConnectedAt !== undefined && dueAt === undefined;
  return { state: isDue ? { ...state, dueAt: now + plan.probeInterval } : state, effects: [] };
}

function tryNow(state: LifecycleState, context: LifecycleContext): LifecycleStep {
  if (state.phase === 'error' || state.phase === 'disconnected') {
    return connect({ ...freshCycle(state), isRecovering: state.isRecovering }, context);
  }
  return state.phase === 'connected' && state.checkStartedAt === undefined
    ? checkHealth(state, context)
    : { state, effects: [] };
}

function entryChanged(state: LifecycleState, context: LifecycleContext): LifecycleStep {
  if (state.phase === 'disabled' || state.phase === 'disconnected') return { state, effects: [] };
  const step = connect(freshCycle(state), context);
  return { ...step, effects: [{ kind: 'retire-connection' }, ...step.effects] };
}

function connect(state: LifecycleState, { now }: LifecycleContext): LifecycleStep {
  const round = state.round + 1;
  return {
    state: { ...inPhase(state, 'connecting'), round, lastAttemptAt: now },
    effects: [{ kind: 'connect', round }],
  };
}

function connected(
  state: LifecycleState,
  toolCount: number,
  { now, name, plan }: LifecycleContext,
): LifecycleStep {
  const { reason: _mended, autoDisabledAt, ...rest } = inPhase(state, 'connected');
  const change = { lastConnectedAt: now, failureCount: 0 };
  const isBack = autoDisabledAt !== undefined;
  const announce: LifecycleEffect[] = [
    { kind: 'save', change: isBack ? { ...change, autoDisabled: null } : change },
    { kind: 'announce', event: 'server-connected' },
  ];
  if (state.isRetry || isBack) {
    const message = `MCP server ${name} connected again`;
    announce.push({ kind: 'notify', notice: { level: 'info', message, server: name } });
  }
  return {
    state: {
      ...rest,
      failureCount: 0,
      isRecovering: false,
      isProbe: false,
      missedChecks: 0,
      toolCount,
      lastConnectedAt: now,
      dueAt: now + plan.healthInterval,
    },
    effects: announce,
  };
}

function timerFired(state: LifecycleState, context: LifecycleContext): LifecycleStep {
  const slept = context.now - (state.dueAt ?? context.now) > context.plan.sleepThreshold;
  if (state.phase === 'disabled') return connect({ ...freshCycle(state), isProbe: true }, context);
  if (state.phase === 'error')
    return connect(slept ? { ...state, attempt: 0, failureCount: 0 } : state, context);
  if (state.phase !== 'connected') return { state, effects: [] };
  return slept ? checkSoon(state, context) : checkHealth(state, context);
}

function checkHealth(state: LifecycleState, { now }: LifecycleContext): LifecycleStep {
  return {
    state: { ...inPhase(state, 'connected'), checkStartedAt: now },
    effects: [{ kind: 'check-health', round: state.round }],
  };
}

/** After a sleep the network needs a moment, and checks missed during the sleep mean nothing. */
function checkSoon(state: LifecycleState, { now, plan }: LifecycleContext): LifecycleStep {
  const dueAt = now + Math.min(plan.healthDeadline, plan.healthInterval);
  return { state: { ...inPhase(state, 'connected'), missedChecks: 0, dueAt }, effects: [] };
}

function healthGood(
  state: LifecycleState,
  latency: number,
  context: LifecycleContext,
): LifecycleStep {
  if (state.phase !== 'connected') return { state, effects: [] };
  const { now, plan } = context;
  return {
    state: {
      ...inPhase(state, 'connected'),
      attempt: 0,
      isRetry: false,
      missedChecks: 0,
      lastPingAt: now,
      pingLatency: latency,
      dueAt: now + plan.healthInterval,
    },
    effects: [],
  };
}

function healthMissed(
  state: LifecycleState,
  isBusy: boolean,
  context: LifecycleContext,
): LifecycleStep {
  if (state.phase !== 'connected') return { state, effects: [] };
  const { now, name, plan } = context;
  const took = now - (state.checkStartedAt ?? now);
  if (took > plan.healthDeadline + plan.sleepThreshold) return checkSoon(state, context);
  const missedChecks = state.missedChecks + (isBusy ? 0 : 1);
  if (missedChecks >= 2) {
    const message = `Server "${name}" did not answer two health checks in a row.`;
    const error = new HostError('server_unavailable', message, { server: name });
    return afterLoss({ ...state, missedChecks }, error, context);
  }
  const dueAt = now + plan.healthInterval;
  return { state: { ...inPhase(state, 'connected'), missedChecks, dueAt }, effects: [] };
}

function freshCycle(state: LifecycleState): LifecycleState {
  const cleared = { attempt: 0, failureCount: 0, isRetry: false, isRecovering: false };
  return { ...state, ...cleared, isProbe: false };
}

function forget(state: LifecycleState): LifecycleState {
  const { reason: _reason, autoDisabledAt: _at, ...rest } = freshCycle(state);
  return rest;
}
