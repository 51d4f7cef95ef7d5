import type { NoteSessions } from '@errand/host';
import type {
  Ask,
  Conversation,
  ConversationPlace,
  ConversationState,
  Turn,
  TurnStarted,
  WorkbenchEvent,
} from '../../contract.ts';
import { asFailure } from '../http/answer-failure.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { LiveTurn } from './live-turn.ts';
import { mergeTurns } from './merge-turns.ts';
import { readConversation } from './read-conversation.ts';
import { takeTurn } from './take-turn.ts';

/** Conversations that are remembered; the longest unused one gives way. */
const mostConversations = 50;

export interface ConversationDeskPorts
  extends Pick<
    WorkbenchPorts,
    'folder' | 'host' | 'notes' | 'attachments' | 'log' | 'references' | 'trust'
  > {
  readonly sessions: NoteSessions;
  readonly feed: (event: WorkbenchEvent) => void;
}

/** The conversations with assistants, and the turns that go on. Disposing it ends them. */
export class ConversationDesk implements AsyncDisposable {
  readonly #ports: ConversationDeskPorts;
  readonly #open = new Map<string, Entry>();
  readonly #turns = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(ports: ConversationDeskPorts) {
    this.#ports = ports;
  }

  get states(): readonly ConversationState[] {
    return [...this.#open.values()].map(stateOf);
  }

  /** A conversation as it is now; one in a note begins with what stands there. */
  async read(
    place: ConversationPlace,
    line: number | null,
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { note, isKept } = place;
    const id = idOf(place);
    const { past = [], live, isNew = false } = this.#open.get(id) ?? {};
    if (note === null || !isKept || isNew || live !== undefined) {
      const turns = live === undefined ? past : [...past, live.state];
      return { id, note, isKept, turns, openQuestion: null };
    }
    const { turns, openQuestion } = await this.#readNote(note, line, signal);
    return { id, note, isKept, turns: mergeTurns(turns, past), openQuestion };
  }

  /** Begins a turn. Rejects when it cannot be held: then nothing has happened. */
  async ask(wish: Ask, signal: AbortSignal): Promise<TurnStarted> {
    this.#closing.signal.throwIfAborted();
    const entry = this.#entry(wish);
    if (entry.isBusy) {
      throw new ApiError('conflict', 'An answer is still coming here. Stop it, or wait for it.');
    }
    entry.isBusy = true;
    try {
      return await this.#begin(entry, wish, signal);
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
    throw new ApiError('not_found', 'Nobody waits for this answer any more.');
  }

  /** Forgets what was said; the next question begins a new conversation. */
  startOver(place: ConversationPlace): Conversation {
    const entry = this.#entry(place);
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

  async #begin(entry: Entry, wish: Ask, signal: AbortSignal): Promise<TurnStarted> {
    const { host, references, trust, feed } = this.#ports;
    // It is large, and most who open the workbench do not need it.
    const assistant = await import('@errand/assistant');
    const config = assistant.chooseAssistant(
      host.servers.settings.assistants,
      wish.assistant ?? undefined,
    );
    const model = await assistant.openModel(config, { ...references, mayUse: trust.mayUse });
    const { turns, openQuestion } = await this.read(entry, wish.line, signal);
    const isAgain = wish.question === null;
    const again = isAgain ? lastUnanswered(turns, openQuestion) : undefined;
    const question = wish.question?.trim() ?? openQuestion ?? again?.question;
    if (question === undefined) throw nothingToAsk();
    this.#closing.signal.throwIfAborted();

    entry.past = turns.filter((turn) => turn !== again);
    const beginning = { question, assistant: config.name, model: config.model };
    const onWaiting = () => this.#tell(entry);
    const live = new LiveTurn(entry.id, beginning, { feed, onWaiting });
    entry.live = live;
    const { id: conversation } = entry;
    feed({ kind: 'turn-started', conversation, turn: live.state, replaces: again?.id ?? null });
    this.#tell(entry);
    const isOpen = isAgain && openQuestion !== null;
    const asked = { ...entry, line: wish.line, question, isOpen };
    const turn = takeTurn(asked, live, { ...this.#ports, assistant, model })
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
    // Before the model was asked, nothing may stand in the note yet.
    entry.isNew &&= live.state.round === 0;
    this.#tell(entry);
  }

  #tell(entry: Entry): void {
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

  #entry({ note, isKept }: ConversationPlace): Entry {
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

  /** What is kept in a note can be gone on with there, and is counted by how it begins. */
  #forget({ note, key }: Entry): void {
    this.#ports.sessions.closeConversation({ note, key });
  }
}

/** A conversation with what was said in it since the program was started. */
interface Entry extends ConversationPlace {
  readonly id: string;
  /** Tells it from others, when it is not kept in a note. */
  key: string;
  past: readonly Turn[];
  live: LiveTurn | undefined;
  /** A turn goes on, or is about to. */
  isBusy: boolean;
  /** The next question begins a conversation. */
  isNew: boolean;
}

function idOf({ note, isKept }: ConversationPlace): string {
  return note === null ? 'free' : `${isKept ? 'in' : 'beside'}:${note}`;
}

function stateOf({ id, note, isKept, live }: Entry): ConversationState {
  return { id, note, isKept, isRunning: live !== undefined, waiting: live?.waiting ?? 0 };
}

/** The last turn, when no word of an answer came, and no other question has taken its place. */
function lastUnanswered(turns: readonly Turn[], openQuestion: string | null): Turn | undefined {
  const last = turns.at(-1);
  const hasAnswer = last?.parts.some(({ kind }) => kind === 'text' || kind === 'call');
  const isAsked = openQuestion === null || openQuestion === last?.question;
  return hasAnswer || !isAsked ? undefined : last;
}

function nothingToAsk(): ApiError {
  return new ApiError('invalid_input', 'There is no question that waits for an answer. Ask one.');
}
