import type { NoteSessions } from '@errand/host';
import { z } from 'zod';
import type {
  Conversation,
  ConversationLocation,
  ConversationState,
  Turn,
  WorkbenchEvent,
} from '../../contract.ts';
import { asFailure } from '../http/answer-failure.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { LiveTurn } from './live-turn.ts';
import { mergeTurns } from './merge-turns.ts';
import { readConversation } from './read-conversation.ts';
import { takeTurn } from './take-turn.ts';

/** At most so many conversations are remembered; the least recently used is forgotten. */
const mostConversations = 50;

export interface ConversationsPorts
  extends Pick<
    WorkbenchPorts,
    'folder' | 'host' | 'notes' | 'attachments' | 'log' | 'references' | 'trust'
  > {
  readonly sessions: NoteSessions;
  readonly feed: (event: WorkbenchEvent) => void;
}

const location = { note: z.string().min(1).nullable(), isKept: z.boolean() };
const isPossible = ({ note, isKept }: ConversationLocation) => note !== null || !isKept;
const impossible = { path: ['note'], message: 'Name the note that it is kept in.' };
export const locationSchema = z.strictObject(location).refine(isPossible, impossible);
export const askSchema = z
  .strictObject({
    ...location,
    /** A line of the section whose tools are used; null is the whole note. */
    line: z.int().min(1).nullable(),
    /** null is the first of the settings. */
    assistant: z.string().nullable(),
    /** null repeats the question without an answer: the last one, or the open one in the note. */
    question: z
      .string()
      .max(200_000, 'At most 200,000 characters are allowed.')
      .refine((text) => text.trim() !== '', 'Write a question.')
      .nullable(),
  })
  .refine(isPossible, impossible);
type Ask = z.output<typeof askSchema>;

/** The conversations with assistants and their running turns. Disposing it stops the turns. */
export class Conversations implements AsyncDisposable {
  readonly #ports: ConversationsPorts;
  readonly #open = new Map<string, Entry>();
  readonly #turns = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(ports: ConversationsPorts) {
    this.#ports = ports;
  }

  get states(): readonly ConversationState[] {
    return [...this.#open.values()].map(stateOf);
  }

  /** Reads a conversation as it is now; one that is kept in a note begins with the turns of the note. */
  async read(
    location: ConversationLocation,
    line: number | null,
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { note, isKept } = location;
    const id = idOf(location);
    const { past = [], live, isNew = false } = this.#open.get(id) ?? {};
    if (note === null || !isKept || isNew || live !== undefined) {
      const turns = live === undefined ? past : [...past, live.state];
      return { id, note, isKept, turns, openQuestion: null };
    }
    const { turns, openQuestion } = await this.#readNote(note, line, signal);
    return { id, note, isKept, turns: mergeTurns(turns, past), openQuestion };
  }

  /** Starts a turn. When it rejects, nothing was changed and nothing was sent. */
  async ask(
    asked: Ask,
    signal: AbortSignal,
  ): Promise<{ readonly conversation: string; readonly turn: string }> {
    this.#closing.signal.throwIfAborted();
    const entry = this.#entry(asked);
    if (entry.isBusy) {
      throw new ApiError('conflict', 'An answer is still coming here. Stop it, or wait for it.');
    }
    entry.isBusy = true;
    try {
      return await this.#begin(entry, asked, signal);
    } catch (error) {
      entry.isBusy = false;
      throw error;
    }
  }

  stop(conversation: string): void {
    this.#open.get(conversation)?.live?.stop();
  }

  answer(call: string, isAllowed: boolean): void {
    for (const { live } of this.#open.values()) {
      if (live?.answer(call, isAllowed)) return;
    }
    throw new ApiError('not_found', 'This question is no longer open.');
  }

  /** Forgets the turns; the next question starts a new conversation. */
  startOver(location: ConversationLocation): Conversation {
    const entry = this.#entry(location);
    if (entry.isBusy) {
      throw new ApiError('conflict', 'An answer is still coming here. Stop it first.');
    }
    const { id, note, isKept } = entry;
    entry.past = [];
    entry.isNew = true;
    this.#forget(entry);
    entry.key = crypto.randomUUID();
    this.#ports.feed({ kind: 'conversation-cleared', conversation: id });
    return { id, note, isKept, turns: [], openQuestion: null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const { live } of this.#open.values()) live?.stop();
    await Promise.all(this.#turns);
  }

  async #begin(
    entry: Entry,
    asked: Ask,
    signal: AbortSignal,
  ): Promise<{ readonly conversation: string; readonly turn: string }> {
    const { host, references, trust, feed } = this.#ports;
    // Loaded on demand: it is large, and most people do not use it.
    const assistant = await import('@errand/assistant');
    const config = assistant.chooseAssistant(
      host.servers.settings.assistants,
      asked.assistant ?? undefined,
    );
    const model = await assistant.openModel(config, { ...references, mayUse: trust.mayUse });
    const { turns, openQuestion } = await this.read(entry, asked.line, signal);
    const isAgain = asked.question === null;
    const again = isAgain ? lastUnanswered(turns, openQuestion) : undefined;
    const question = asked.question?.trim() ?? openQuestion ?? again?.question;
    if (question === undefined) throw nothingToAsk();
    this.#closing.signal.throwIfAborted();

    entry.past = turns.filter((turn) => turn !== again);
    const beginning = { question, assistant: config.name, model: config.model };
    const onWaiting = () => this.#publish(entry);
    const live = new LiveTurn(entry.id, beginning, { feed, onWaiting });
    entry.live = live;
    const { id: conversation } = entry;
    feed({ kind: 'turn-started', conversation, turn: live.state, replaces: again?.id ?? null });
    this.#publish(entry);
    const isOpen = isAgain && openQuestion !== null;
    const open = { ...entry, line: asked.line, question, isOpen };
    const turn = takeTurn(open, live, { ...this.#ports, assistant, model })
      .catch((error: unknown) => {
        live.fail(asFailure(error));
      })
      .then(() => this.#end(entry, live));
    this.#turns.add(turn);
    void turn.finally(() => this.#turns.delete(turn));
    return { conversation, turn: live.id };
  }

  #end(entry: Entry, live: LiveTurn): void {
    entry.past = [...entry.past, live.state];
    entry.live = undefined;
    entry.isBusy = false;
    // Until the model was asked, the note may not have the turn yet.
    entry.isNew &&= live.state.round === 0;
    this.#publish(entry);
  }

  #publish(entry: Entry): void {
    this.#ports.feed({ kind: 'conversation-changed', state: stateOf(entry) });
  }

  async #readNote(path: string, line: number | null, signal: AbortSignal) {
    const { host, notes } = this.#ports;
    const text = await notes.read(path, signal);
    return readConversation(
      text,
      {
        ...host.servers.noteContext(path),
        assistants: host.servers.settings.assistants.map(({ name }) => name),
      },
      line,
    );
  }

  #entry({ note, isKept }: ConversationLocation): Entry {
    const id = idOf({ note, isKept });
    const known = this.#open.get(id);
    const key = crypto.randomUUID();
    const entry: Entry = known ?? {
      id,
      note,
      isKept,
      key,
      past: [],
      live: undefined,
      isBusy: false,
      isNew: false,
    };
    this.#open.delete(id);
    this.#open.set(id, entry);
    const idle = [...this.#open.values()].find((each) => !each.isBusy && each !== entry);
    if (this.#open.size > mostConversations && idle !== undefined) {
      this.#open.delete(idle.id);
      this.#forget(idle);
    }
    return entry;
  }

  /** Closes the session of a conversation. One that is kept in a note can be continued there. */
  #forget({ note, key }: Entry): void {
    this.#ports.sessions.closeConversation({ note, key });
  }
}

/** A conversation with its turns since the program was started. */
interface Entry extends ConversationLocation {
  readonly id: string;
  /** Identifies its session when it is not kept in a note. */
  key: string;
  past: readonly Turn[];
  live: LiveTurn | undefined;
  /** A turn runs, or is about to. */
  isBusy: boolean;
  /** The next question starts a new conversation. */
  isNew: boolean;
}

function idOf({ note, isKept }: ConversationLocation): string {
  return note === null ? 'free' : `${isKept ? 'in' : 'beside'}:${note}`;
}

function stateOf({ id, note, isKept, live }: Entry): ConversationState {
  return { id, note, isKept, isRunning: live !== undefined, waiting: live?.waiting ?? 0 };
}

/** The last turn, if it has no answer and no newer question is open in the note. */
function lastUnanswered(turns: readonly Turn[], openQuestion: string | null): Turn | undefined {
  const last = turns.at(-1);
  const hasAnswer = last?.parts.some(({ kind }) => kind === 'text' || kind === 'call');
  const isAsked = openQuestion === null || openQuestion === last?.question;
  return hasAnswer || !isAsked ? undefined : last;
}

function nothingToAsk(): ApiError {
  return new ApiError('invalid_input', 'There is no unanswered question. Ask one.');
}
