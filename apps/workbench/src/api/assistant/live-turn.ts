import type { ApprovalQuestion, Approver, ConversationEvent } from '@errand/assistant';
import type { CallOutcome } from '@errand/host';
import { Throttle } from '@errand/workspace/events';
import { PendingQuestions } from '@errand/workspace/questions';
import type {
  Failure,
  Turn,
  TurnCall,
  TurnEnd,
  TurnEvent,
  TurnPart,
  TurnProgress,
  WorkbenchEvent,
} from '../../contract.ts';
import { callContent } from '../calls/call-content.ts';
import { warnOfFault } from '../events/event-log.ts';
import { describeError } from '../http/answer-failure.ts';
import { briefContent } from './brief-content.ts';

export interface LiveTurnPorts {
  readonly feed: (event: WorkbenchEvent) => void;
  /** Told when a person is asked, or no longer. */
  readonly onWaiting: () => void;
}

export type TurnBeginning = Pick<Turn, 'question' | 'assistant' | 'model'>;

/** A running turn: its state so far, published to pages piece by piece. */
export class LiveTurn implements Approver {
  readonly id = crypto.randomUUID();
  readonly #conversation: string;
  readonly #beginning: TurnBeginning;
  readonly #ports: LiveTurnPorts;
  readonly #startedAt = Date.now();
  readonly #stopping = new AbortController();
  readonly #throttle = new Throttle(warnOfFault);
  readonly #parts: TurnPart[] = [];
  readonly #asked: PendingQuestions<{ readonly id: string }, boolean>;
  #progress: TurnProgress = { round: 0, tools: [], end: null };
  /** Whether the last part is text that may go on, and how much of it pages know. */
  #isSpeaking = false;
  #publishedLength = 0;

  constructor(conversation: string, beginning: TurnBeginning, ports: LiveTurnPorts) {
    this.#conversation = conversation;
    this.#beginning = beginning;
    this.#ports = ports;
    this.#asked = new PendingQuestions({ onAsked: ports.onWaiting, onClosed: ports.onWaiting });
  }

  get state(): Turn {
    const { id } = this;
    const startedAt = this.#startedAt;
    return { ...this.#beginning, ...this.#progress, id, startedAt, parts: [...this.#parts] };
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Calls that wait for a person. */
  get waiting(): number {
    return this.#asked.list.length;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Takes a person's word for a call; whether somebody waited for it. */
  answer(call: string, isAllowed: boolean): boolean {
    return this.#asked.answer(call, isAllowed);
  }

  async approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
    const { call, description, isDestructive, because } = question;
    const approval = { description, isDestructive, because, isAllowed: null };
    this.#change(call, { status: 'waiting', approval });
    const isAllowed = await this.#asked.ask({ id: call }, signal);
    this.#change(call, { status: 'pending', approval: { ...approval, isAllowed } });
    return isAllowed;
  }

  readonly take = (event: ConversationEvent): void => {
    switch (event.kind) {
      case 'round-started':
        this.#report({ round: event.round, tools: event.tools });
        return;
      case 'text-added':
        this.#say(event.text);
        return;
      case 'round-ended':
        this.#endText();
        return;
      case 'call-asked':
        this.#add({ kind: 'call', call: newCall(event.call) });
        return;
      case 'call-started':
        this.#change(event.call.id, { status: 'executing', startedAt: Date.now() });
        return;
      case 'call-progressed':
        this.#change(event.call.id, { progress: event.progress }, true);
        return;
      case 'call-ended':
        this.#change(event.call.id, endOfCall(event.outcome));
        return;
      case 'tools-searched':
        this.#add({ kind: 'search', query: event.query, found: event.found.length });
        return;
      case 'notice-given':
        this.#add({ ...event, kind: 'notice' });
        return;
      case 'turn-ended': {
        const { state, message, code = null, advice, tokens, durationMs } = event.end;
        this.end({ state, message, code, ...(advice && { advice }), tokens, durationMs });
        return;
      }
    }
  };

  /** Nothing more comes. */
  end(end: TurnEnd): void {
    this.#endText();
    for (const part of this.#parts) {
      // A question that was never answered is reported as such.
      if (part.kind === 'call' && part.call.durationMs === null) {
        this.#change(part.call.id, { status: 'cancelled', durationMs: 0 });
      }
    }
    this.#throttle[Symbol.dispose]();
    this.#report({ end });
  }

  /** How a turn ends that could not be held. */
  fail({ code, message, advice }: Failure): void {
    const durationMs = Date.now() - this.#startedAt;
    const failed = { state: 'failed', message, code, tokens: null, durationMs } as const;
    this.end(advice ? { ...failed, advice } : failed);
  }

  #say(text: string): void {
    if (!this.#isSpeaking) {
      this.#parts.push({ kind: 'text', text: '' });
      this.#isSpeaking = true;
      this.#publishedLength = 0;
    }
    this.#parts[this.#parts.length - 1] = { kind: 'text', text: this.#spoken + text };
    this.#throttle.run('text', () => this.#publishText());
  }

  get #spoken(): string {
    const last = this.#parts.at(-1);
    return last?.kind === 'text' ? last.text : '';
  }

  #publishText(): void {
    const text = this.#spoken.slice(this.#publishedLength);
    if (!this.#isSpeaking || text === '') return;
    const index = this.#parts.length - 1;
    this.#publish({ kind: 'text-added', turn: this.id, index, at: this.#publishedLength, text });
    this.#publishedLength += text.length;
  }

  #endText(): void {
    this.#publishText();
    this.#throttle.drop('text');
    this.#isSpeaking = false;
  }

  #add(part: TurnPart): void {
    this.#endText();
    this.#parts.push(part);
    this.#publishPart(this.#parts.length - 1);
  }

  #change(id: string, change: Partial<TurnCall>, isOften = false): void {
    const index = this.#parts.findIndex((part) => part.kind === 'call' && part.call.id === id);
    const part = this.#parts[index];
    if (part?.kind !== 'call') return;
    this.#parts[index] = { kind: 'call', call: { ...part.call, ...change } };
    if (isOften) this.#throttle.run(id, () => this.#publishPart(index));
    else {
      this.#throttle.drop(id);
      this.#publishPart(index);
    }
  }

  #publishPart(index: number): void {
    const part = this.#parts[index];
    if (part !== undefined) this.#publish({ kind: 'part-changed', turn: this.id, index, part });
  }

  #report(change: Partial<TurnProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#publish({ kind: 'turn-changed', turn: this.id, change: this.#progress });
  }

  #publish(event: TurnEvent): void {
    this.#ports.feed({ ...event, conversation: this.#conversation });
  }
}

function newCall({ id, server, tool, parameters }: AskedCall): TurnCall {
  return {
    id,
    server,
    tool,
    params: parameters,
    status: 'pending',
    approval: null,
    startedAt: null,
    progress: null,
    durationMs: null,
    content: null,
    error: null,
  };
}

type AskedCall = Extract<ConversationEvent, { readonly kind: 'call-asked' }>['call'];

function endOfCall(outcome: CallOutcome): Partial<TurnCall> {
  const { status, durationMs, result } = outcome;
  const error = outcome.status === 'success' ? null : outcome.error;
  return {
    status: error?.code === 'approval_denied' ? 'denied' : status,
    durationMs,
    progress: null,
    content: result === undefined ? null : briefContent(callContent(result)),
    error: error && describeError(error),
  };
}
