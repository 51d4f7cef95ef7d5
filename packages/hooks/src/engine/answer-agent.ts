import { type AgentProgram, isAgentProgram } from '../bridge/agent-programs.ts';
import type { AgentTurns } from '../bridge/agent-turns.ts';
import { isChain } from '../hook-chain.ts';
import type { Chain } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import { type AgentOperation, agentOperations, type Hook } from '../hook-schema.ts';
import type { HookEngine } from './hook-engine.ts';
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
}

export interface AnswerAgentPorts {
  readonly engine: HookEngine;
  readonly turns: AgentTurns;
  readonly redact: (text: string) => string;
}

/**
 * Handles a message of an agent. Waits for the hooks that want it, and cancels them when the agent goes away
 * or has no more time.
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
  const runs = await engine.emitAndWait(turns.begin(begun));
  const late = AbortSignal.timeout(Math.max(0, Math.min(patience, longestPatience)));
  const stopping = AbortSignal.any([signal, late]);
  const denials = await Promise.all(
    runs.map(async (id) => {
      const started = await engine.find(id);
      const hook = engine.hooks.find((each) => each.id === started?.hookId);
      if (started === undefined || hook === undefined || !isBlocking(hook)) return [];
      const ended = await engine.ended(id, stopping).catch(async (error: unknown) => {
        if (!stopping.aborted) throw error;
        await engine.cancel(id);
        signal.throwIfAborted();
        return undefined;
      });
      const reason = denialOf(hook, ended);
      return reason === undefined ? [] : [`The hook "${hook.name}" stopped this: ${reason}`];
    }),
  );
  const reasons = denials.flat();
  if (reasons.length > 0) turns.drop(session);
  return { runs, ...(reasons.length > 0 && { denial: redact(reasons.join('\n')) }) };
}

/** Agents give their hooks ten minutes at most. */
const longestPatience = 600_000;

function isBlocking({ trigger }: Hook): boolean {
  return (
    trigger.kind === 'agent-operation' &&
    trigger.timing === 'before' &&
    trigger.waitForCompletion === true
  );
}

/** Why a run keeps an agent from going on; undefined lets it. A run that did not end has no `run`. */
function denialOf({ actions }: Hook, run: HookRun | undefined): string | undefined {
  const ended = run?.actions ?? [];
  const failed = ended.find(({ status }, index) => {
    const isBad = status !== 'success' && status !== 'skipped';
    return isBad && actions[index]?.onError === 'stop';
  });
  if (failed !== undefined) return failed.message ?? `An action ended with ${failed.status}.`;
  const isCutOff = run === undefined || run.status === 'cancelled' || run.status === 'lost';
  const isStillNeeded = actions.slice(ended.length).some(({ onError }) => onError === 'stop');
  if (!isCutOff || !isStillNeeded) return undefined;
  return run === undefined ? 'It did not end in time.' : `It ended with ${run.status}.`;
}

function unreadable(): HooksError {
  return new HooksError('invalid', 'The message of the agent cannot be understood.');
}
