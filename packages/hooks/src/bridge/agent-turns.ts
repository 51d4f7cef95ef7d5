import { type Clock, catchFaults } from '@errand/host';
import type { Chain, EventSource, HookEvent, SourcePorts } from '../hook-event.ts';
import type { AgentOperation } from '../hook-schema.ts';

type Operation = { readonly agent: 'speckit' | 'openspec'; readonly operation: AgentOperation };

interface Turn extends Operation {
  readonly program: string;
  readonly session: string;
  readonly eventId: string;
  readonly at: number;
  readonly chain: Chain | undefined;
  /** Whether the files of the operation have told of its end. */
  isTold: boolean;
}

/** The same prompt in a conversation within this time, in milliseconds, was told by two hooks of one agent. */
const sameTime = 2_000;
/** How long after a turn its files are waited for: a file is told of when it has been left alone for 2 s. */
const fileTime = 3_000;
const mostTurns = 1_000;

/**
 * The operations that agents tell of through the bridge. An operation that writes files ends twice, once by its files
 * and once by the agent: it is told once, with what both know where the files come last.
 */
export class AgentTurns implements EventSource {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #turns = new Map<string, Turn>();
  readonly #ended = new Map<
    Turn,
    { readonly timer: Disposable; readonly fields: HookEvent['fields'] }
  >();
  #emit: ((event: HookEvent) => void) | undefined;
  #count = 0;
  #lastBefore: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock;
  }

  /** When an agent last told of the beginning of an operation. */
  get lastBefore(): number | undefined {
    return this.#lastBefore;
  }

  async start({ emit, onFault }: Pick<SourcePorts, 'emit' | 'onFault'>) {
    this.#emit = catchFaults(emit, onFault);
    return {
      refresh: () => undefined,
      [Symbol.asyncDispose]: async () => {
        this.#emit = undefined;
        for (const { timer } of this.#ended.values()) timer[Symbol.dispose]();
        this.#ended.clear();
      },
    };
  }

  /** An agent begins an operation; answers with the event of that. */
  begin(
    begun: Operation & {
      readonly program: string;
      readonly session: string;
      readonly chain?: Chain;
    },
  ): HookEvent {
    const { agent, operation, program, session, chain } = begun;
    const at = this.#clock.now();
    const known = this.#turns.get(session);
    const isSame =
      known?.agent === agent && known.operation === operation && at - known.at < sameTime;
    this.#count += 1;
    const eventId = isSame
      ? known.eventId
      : `agent-operation:before:${session}:${at}:${this.#count}`;
    const turn: Turn = { agent, operation, program, session, eventId, at, chain, isTold: false };
    this.#turns.delete(session);
    this.#turns.set(session, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostTurns && oldest !== undefined) this.#turns.delete(oldest);
    this.#lastBefore = at;
    return this.#eventOf(turn, eventId, 'before', {});
  }

  /** An agent was denied what it began: the same prompt is a new one. */
  drop(session: string): void {
    this.#turns.delete(session);
  }

  /** An agent has ended a turn: the operation that it began has ended, unless it was interrupted. */
  end(
    session: string,
    { output, isAborted }: { readonly output?: string; readonly isAborted: boolean },
  ): void {
    const turn = this.#turns.get(session);
    this.#turns.delete(session);
    if (turn === undefined || turn.isTold || isAborted) return;
    const fields = output === undefined ? {} : { agentOutput: output };
    const timer = this.#clock.after(fileTime, () => {
      this.#ended.delete(turn);
      const id = turn.eventId.replace(':before:', ':after:');
      this.#emit?.(this.#eventOf(turn, id, 'after', fields));
    });
    this.#ended.set(turn, { timer, fields });
  }

  /** Files tell that an operation has ended; answers with what the agents know of it besides. */
  tell({ agent, operation }: Operation): HookEvent['fields'] {
    const isSame = (turn: Turn) => turn.agent === agent && turn.operation === operation;
    for (const turn of this.#turns.values()) if (isSame(turn)) turn.isTold = true;
    let known: HookEvent['fields'] = {};
    for (const [turn, { timer, fields }] of this.#ended) {
      if (!isSame(turn)) continue;
      timer[Symbol.dispose]();
      this.#ended.delete(turn);
      known = { ...fields, bridge: { program: turn.program, session: turn.session } };
    }
    return known;
  }

  #eventOf(
    { agent, operation, program, session, chain }: Turn,
    id: string,
    timing: 'before' | 'after',
    fields: HookEvent['fields'],
  ): HookEvent {
    return {
      id,
      kind: 'agent-operation',
      at: this.#clock.now(),
      fields: { agent, operation, timing, bridge: { program, session }, ...fields },
      ...(chain && { chain }),
    };
  }
}
