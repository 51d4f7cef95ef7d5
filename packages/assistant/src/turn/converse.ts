import {
  type AIToolContext,
  briefFailure,
  type CallLog,
  type Clock,
  type Host,
  HostError,
  type NotePosition,
  systemClock,
} from '@errand/host';
import type { OpenModel } from '../model/open-model.ts';
import type { Approver } from './approval.ts';
import type { ConversationEvent, TurnEnd } from './conversation-event.ts';
import type { Message } from './messages.ts';
import { endOf, type Stop } from './turn-end.ts';
import { TurnRun } from './turn-run.ts';

/** One turn of a conversation: what was said, ending with the question. */
export interface TurnRequest {
  /** The same for all turns of a conversation; the session limit counts for it (D6). */
  readonly conversation: string;
  readonly history: readonly Message[];
  /** The note and line that asked, as they are now; for the log and the instructions. */
  readonly place?: () => NotePosition;
  /** Names of servers whose tools come first when there are too many. */
  readonly preferredServers?: readonly string[];
}

export interface ConversePorts {
  readonly model: OpenModel;
  /** The tools as they are now; asked in every round. */
  readonly tools: (signal: AbortSignal) => Promise<AIToolContext>;
  readonly host: Pick<Host, 'servers' | 'events' | 'hints' | 'approvalOf'>;
  /** Absent when there is no person to ask. */
  readonly approver?: Approver;
  readonly log: Pick<CallLog, 'append' | 'keepResult'>;
  readonly clock?: Clock;
}

export interface ConverseOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: ConversationEvent) => void;
}

/** Rounds of tools in one turn (R31). */
const mostRounds = 10;

/**
 * Lets a model answer, with the tools it may use. Every end but a defect of ours is part of the answer;
 * events report everything as it happens, the last one the end.
 */
export async function converse(
  request: TurnRequest,
  ports: ConversePorts,
  options: ConverseOptions,
): Promise<TurnEnd> {
  const clock = ports.clock ?? systemClock;
  const started = clock.now();
  // Stopping all calls also stops the turn that would make more of them.
  const stopping = new AbortController();
  const unsubscribe = ports.host.events.subscribe((event) => {
    if (event.kind === 'calls-stopped') stopping.abort(event.reason);
  });
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const run = new TurnRun(request, { ...ports, clock }, { ...options, signal });
  const stop = await runRounds(run, signal).finally(unsubscribe);
  const end = endOf(stop, run.tally, clock.now() - started);
  options.onEvent({ kind: 'turn-ended', end });
  return end;
}

async function runRounds(run: TurnRun, signal: AbortSignal): Promise<Stop> {
  try {
    for (let round = 1; ; round += 1) {
      const stop = await run.round(round, { isLast: round > mostRounds });
      if (stop !== undefined) return stop;
    }
  } catch (error) {
    if (signal.aborted) return cancelledBy(signal.reason);
    if (error instanceof HostError) {
      return { state: 'failed', failure: briefFailure(error) };
    }
    throw error;
  }
}

function cancelledBy(reason: unknown): Stop {
  const { message } = reason instanceof HostError ? reason : {};
  return { state: 'cancelled', ...(message !== undefined && { message }) };
}
