import { matchesGlob } from '@errand/document';
import { type FlowContext, JobsError, StepFailed } from '@errand/jobs';
import type { ActionReach } from '../hook-chain.ts';
import type { Chain, HookEvent } from '../hook-event.ts';
import type { ActionOutcome, ActionRunner, HookRun } from '../hook-run.ts';
import type { ActionType, Hook, HookAction } from '../hook-schema.ts';
import type { HookEnginePorts, HookLimits } from './engine-ports.ts';

/** What a run begins with; stored, so that it goes on with the same after a crash. */
export interface RunInput {
  readonly hook: Hook;
  readonly event: HookEvent;
  /** With this run in it. */
  readonly chain: Chain;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RunActionsPorts
  extends Pick<HookEnginePorts, 'runners' | 'chains' | 'clock' | 'log' | 'trust'> {
  readonly limits: HookLimits;
  /** Waits until an action of this hook may begin; returns what ends its turn. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
  /** Called whenever an action has ended. */
  readonly onProgress: (actions: HookRun['actions']) => void;
}

/** What became of a run. */
export type RunEnd = Pick<HookRun, 'actions' | 'message'> & {
  readonly status: Exclude<HookRun['status'], 'running' | 'queued'>;
};

type Ended = HookRun['actions'][number];

/**
 * Carries out the actions of a hook in order, each as a step. Rejects only when the run is cancelled, or cut off by
 * the end of this program.
 */
export async function runActions(
  input: RunInput,
  context: FlowContext,
  ports: RunActionsPorts,
): Promise<RunEnd> {
  const ended: Ended[] = [];
  for (const [index, action] of input.hook.actions.entries()) {
    const outcome = await act(action, index, ended, input, context, ports);
    ended.push(outcome);
    ports.onProgress([...ended]);
    if (outcome.code === 'interrupted') return { ...endOf(ended), status: 'lost' };
    const isStopping = outcome.status !== 'success' && action.onError === 'stop';
    if (isStopping || outcome.status === 'cancelled') break;
  }
  return endOf(ended);
}

/** What a run is after all of its actions: as bad as the worst of them. */
function endOf(actions: readonly Ended[]): RunEnd {
  const worst = severity.map((status) => actions.find((action) => action.status === status));
  const found = worst.find((action) => action !== undefined);
  const { status = 'success', message } = found ?? {};
  return { status, actions, ...(message !== undefined && { message }) };
}

const severity = ['cancelled', 'failure', 'timeout', 'skipped'] as const;

/** A failed action, whose step failed too: it runs again when a person retries the job. */
class ActionFailed extends Error {
  readonly code: string | undefined;
  readonly ended: Ended;

  constructor(ended: Ended) {
    super(ended.message ?? `The action ended with ${ended.status}.`);
    this.code = ended.code ?? ended.status;
    this.ended = ended;
  }
}

async function act(
  action: HookAction,
  index: number,
  earlier: readonly Ended[],
  input: RunInput,
  context: FlowContext,
  ports: RunActionsPorts,
): Promise<Ended> {
  const { hook, event, chain } = input;
  const runner = ports.runners[action.type] as ActionRunner<ActionType>;
  const actions = earlier.map(({ status, output = null }) => ({ status, output }));
  const fields = { ...input.fields, actions };
  const attempt = async (isLast: boolean): Promise<Ended> => {
    const leave = await ports.enter(context.signal);
    try {
      return await context.step(
        `action ${index + 1}: ${action.type}`,
        async (signal) => {
          const begunAt = ports.clock.monotonic();
          // It may have waited for long since somebody looked.
          if (ports.trust.verdict(hook) !== 'trusted') return refusedAction(action.type);
          await using _made =
            action.type === 'custom' ? ports.trust.beginAction?.(hook) : undefined;
          using _caused = ports.chains.begin(chain, reachOf(action, runner));
          const outcome = await runner.run(action, { hook, event, chain, fields, signal });
          const durationMs = Math.round(ports.clock.monotonic() - begunAt);
          const fitted = await withShortOutput(outcome, `${context.id}-${index + 1}`, ports.log);
          const ended = { type: action.type, ...fitted, durationMs };
          if (isFailed(ended) && (isLast || !ended.isTransient)) throw new ActionFailed(ended);
          return ended;
        },
        { once: !runner.isRepeatable(action) },
      );
    } catch (error) {
      context.signal.throwIfAborted();
      // The engine is closing: the run goes on when it is opened again.
      if (error instanceof JobsError && error.code === 'closed') throw error;
      return failedAction(action.type, error);
    } finally {
      leave();
    }
  };
  const first = await attempt(false);
  if (!isFailed(first) || !first.isTransient) return first;
  await context.sleep(ports.limits.retryAfterMs);
  return attempt(true);
}

/** What an action may cause without a sign: what its author says, or else what its runner knows. */
function reachOf(action: HookAction, runner: ActionRunner<ActionType>): ActionReach {
  const { leavesNothing = false } = runner;
  const writes = 'writes' in action.parameters ? action.parameters.writes : undefined;
  if (typeof writes === 'string') {
    const mayWrite = (path: string) => writes !== 'nothing' && matchesGlob(writes, path);
    return { mayWrite, mayChangeRepository: false, leavesNothing };
  }
  return {
    mayWrite: (path) => runner.mayWrite?.(action, path) ?? true,
    mayChangeRepository: runner.mayChangeRepository?.(action) ?? true,
    leavesNothing,
  };
}

function refusedAction(type: ActionType): Ended {
  const message = 'The hook, or a file that it runs, changed since somebody agreed to it.';
  return { type, status: 'skipped', code: 'untrusted', durationMs: 0, message };
}

function isFailed({ status }: ActionOutcome): boolean {
  return status === 'failure' || status === 'timeout';
}

function failedAction(type: ActionType, error: unknown): Ended {
  const cause = error instanceof StepFailed ? error.cause : error;
  if (cause instanceof ActionFailed) return cause.ended;
  const { message, code } = error as { readonly message: string; readonly code?: string };
  const isInterrupted = code === 'interrupted';
  return {
    type,
    status: code === 'timeout' ? 'timeout' : 'failure',
    durationMs: 0,
    ...(code !== undefined && { code }),
    message: isInterrupted
      ? 'It was interrupted, and nobody knows whether it happened. Look whether it did before you run it again.'
      : message,
  };
}

/** Longer output is kept in a file; what stays is its beginning. */
const longestOutput = 1_000_000;

async function withShortOutput(
  outcome: ActionOutcome,
  name: string,
  log: RunActionsPorts['log'],
): Promise<ActionOutcome> {
  const { output } = outcome;
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  if (text.length <= longestOutput) return outcome;
  const outputFile = await log.keepOutput(name, text).catch(() => undefined);
  const cut = { ...outcome, output: text.slice(0, longestOutput) };
  return outputFile === undefined ? cut : { ...cut, outputFile };
}
