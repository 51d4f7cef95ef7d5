import { quoted } from '@errand/host';
import { type AgentProgram, isAgentProgram } from '../bridge/agent-programs.ts';
import type { AgentTurns } from '../bridge/agent-turns.ts';
import type { HookProblem } from '../definitions/parse-hooks.ts';
import { isChain } from '../hook-chain.ts';
import type { Chain } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import { type AgentOperation, agentOperations, type Hook } from '../hook-schema.ts';
import { type Refusal, runId } from './event-admission.ts';
import type { EmittedEvent, HookEngine } from './hook-engine.ts';
import { HooksError } from './hooks-error.ts';

/** A message of the bridge in an agent: a turn begins or ends. */
export interface AgentMessage {
  readonly phase: 'begin' | 'end';
  readonly program: AgentProgram;
  readonly session: string;
  readonly agent?: 'speckit' | 'openspec';
  readonly operation?: AgentOperation;
  readonly output?: string;
  readonly isAborted?: boolean;
  readonly chain?: Chain;
  /** Milliseconds that the agent waits. */
  readonly patience?: number;
}

/** The answer to an agent. */
export interface AgentVerdict {
  /** The runs that began. */
  readonly runs: readonly string[];
  /** Why the agent must not do it. */
  readonly denial?: string;
  /** What a person can do about guards that did not run. */
  readonly advice?: readonly GuardAdvice[];
}

/** What a person can do about a guard that did not run. Hooks are named. */
export type GuardAdvice =
  | { readonly kind: 'review-trust' }
  | { readonly kind: 'try-again' }
  | { readonly kind: 'enable-hook'; readonly hook: string }
  /** Lets agents go on without it. */
  | { readonly kind: 'disable-hook'; readonly hook: string }
  | { readonly kind: 'mend-hooks-file' };

export interface AnswerAgentPorts {
  readonly engine: HookEngine;
  readonly turns: AgentTurns;
  readonly redact: (text: string) => string;
}

/**
 * Handles a message of an agent. Waits for the hooks that want it, and cancels them when the agent goes away
 * or has no more time. A guard lets the agent go on only when it ran and its actions succeeded.
 */
export async function answerAgent(
  message: AgentMessage,
  { engine, turns, redact }: AnswerAgentPorts,
  signal: AbortSignal,
): Promise<AgentVerdict> {
  const { phase, program, session, agent, operation, chain, patience = 0 } = message;
  if (!isAgentProgram(String(program)) || typeof session !== 'string') throw unreadable();
  if (phase === 'end') {
    const { output, isAborted = false } = message;
    turns.end(session, { isAborted, ...(typeof output === 'string' && { output }) });
    return { runs: [] };
  }
  const isKnown = agent === 'speckit' || agent === 'openspec';
  if (!isKnown || operation === undefined || !agentOperations.includes(operation)) {
    throw unreadable();
  }
  const begun = { agent, operation, program, session, ...(isChain(chain) && { chain }) };
  const event = turns.begin(begun);
  // As they are now: what is changed during a run does not decide on it.
  const guards = engine.hooksFor(event).filter(isGuard);
  const { runs, refusals } = await engine.emitAndWait(event).catch((error: unknown) => {
    if (guards.length === 0) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const none: EmittedEvent['runs'] = [];
    return { runs: none, refusals: guards.map(({ id }) => unbegun(id, reason)) };
  });
  const late = AbortSignal.timeout(Math.max(0, Math.min(patience, longestPatience)));
  const stopping = AbortSignal.any([signal, late]);
  const denials = await Promise.all(
    guards.map(async (hook): Promise<readonly Denial[]> => {
      const refusal = refusals.find(({ hookId }) => hookId === hook.id);
      if (refusal !== undefined) return [denialOfRefusal(hook, refusal)];
      const id = runId(hook.id, event);
      if (!runs.includes(id)) return [];
      const ended = await engine.ended(id, stopping).catch(async (error: unknown) => {
        if (!stopping.aborted) throw error;
        await engine.cancel(id);
        signal.throwIfAborted();
        return undefined;
      });
      const reason = denialOf(hook, ended);
      return reason === undefined ? [] : [{ text: `${titleOf(hook)} stopped this: ${reason}` }];
    }),
  );
  const all = [...denials.flat(), ...denialsOfProblems(engine.problems)];
  if (all.length === 0) return { runs };
  turns.drop(session);
  const advice = all.flatMap((denial) => denial.advice ?? []);
  return {
    runs,
    denial: redact(all.map(({ text }) => text).join('\n')),
    ...(advice.length > 0 && { advice }),
  };
}

interface Denial {
  readonly text: string;
  readonly advice?: readonly GuardAdvice[];
}

/** Agents give their hooks ten minutes at most. */
const longestPatience = 600_000;

/** Whether an agent may not go on before a hook let it. */
export function isGuard({ trigger, actions }: Hook): boolean {
  return (
    trigger.kind === 'agent-operation' &&
    trigger.timing === 'before' &&
    trigger.waitForCompletion === true &&
    actions.some(({ onError }) => onError === 'stop')
  );
}

/** A hook may have come with the vault, and its name is shown outside of it. */
function titleOf({ name }: Hook): string {
  return `The hook ${quoted(name)}`;
}

function unbegun(hookId: string, message: string): Refusal {
  return { hookId, kind: 'busy', message };
}

function denialOfRefusal(hook: Hook, { kind, message }: Refusal): Denial {
  const first = adviceOn(kind, hook.name);
  const advice = [...(first ? [first] : []), { kind: 'disable-hook', hook: hook.name } as const];
  return { text: `${titleOf(hook)} guards this operation but did not run. ${message}`, advice };
}

function adviceOn(kind: Refusal['kind'], hook: string): GuardAdvice | undefined {
  switch (kind) {
    case 'untrusted':
      return { kind: 'review-trust' };
    case 'paused':
      return { kind: 'enable-hook', hook };
    case 'busy':
      return { kind: 'try-again' };
    case 'chain-ended':
      return undefined;
  }
}

/** An entry that cannot be read would otherwise be a guard less, which nobody would notice. */
function denialsOfProblems(problems: readonly HookProblem[]): readonly Denial[] {
  const first = problems.find(({ mayGuard }) => mayGuard);
  if (first === undefined) return [];
  const { line, column, message } = first;
  const text = `A hook that may guard this operation cannot be read. .errand/hooks.json:${line}:${column}: ${message}`;
  return [{ text, advice: [{ kind: 'mend-hooks-file' }] }];
}

/** Why a run keeps an agent from going on; undefined lets it. A run that did not end in time is undefined. */
function denialOf({ actions }: Hook, run: HookRun | undefined): string | undefined {
  if (run === undefined) return 'It did not end in time.';
  for (const [index, { onError }] of actions.entries()) {
    if (onError !== 'stop') continue;
    const ended = run.actions[index];
    if (ended === undefined) return run.message ?? `It ended with ${run.status}.`;
    // It ended the hook, as its author wants, and found nothing wrong.
    if (ended.code === 'nothing_to_do') return undefined;
    if (ended.status !== 'success') return ended.message ?? `An action ended with ${ended.status}.`;
  }
  return undefined;
}

function unreadable(): HooksError {
  return new HooksError('invalid', 'The message of the agent cannot be understood.');
}
