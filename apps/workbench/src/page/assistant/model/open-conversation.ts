import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type {
  Conversation,
  ConversationEvent,
  ConversationLocation,
  Failure,
  WorkbenchEvent,
} from '../../../contract.ts';
import { api, failureOf } from '../../model/api.ts';
import type { WorkbenchModel } from '../../model/workbench-model.ts';
import { applyTurnEvent } from './apply-turn-event.ts';

type AskBody = Parameters<typeof api.assistant.ask.$post>[0]['json'];

/** An open conversation: its turns, the draft and the running turn. */
export class OpenConversation {
  readonly place: ConversationLocation;
  /** The unsent question. */
  readonly draft = signal('');
  readonly #workbench: WorkbenchModel;
  readonly #now = signal<Conversation | undefined>(undefined);
  readonly #failure = signal<Failure | undefined>(undefined);
  readonly #isSending = signal(false);
  #line: number | null = null;
  /** Events that arrive while the conversation is loading. */
  #meanwhile: ConversationEvent[] | undefined;
  #isOutdated = false;
  #isUnread = false;

  readonly now: ReadonlySignal<Conversation | undefined> = this.#now;
  /** Why the last action failed. */
  readonly failure: ReadonlySignal<Failure | undefined> = this.#failure;
  readonly isSending: ReadonlySignal<boolean> = this.#isSending;
  readonly live = computed(() => this.#now.value?.turns.findLast(({ end }) => end === null));
  readonly waiting = computed(() =>
    (this.live.value?.parts ?? []).flatMap((part) =>
      part.kind === 'call' && part.call.status === 'waiting' ? [part.call] : [],
    ),
  );

  constructor(place: ConversationLocation, workbench: WorkbenchModel) {
    this.place = place;
    this.#workbench = workbench;
  }

  /** Reads it again; `line` says which section's conversation is meant. */
  async refresh(line: number | null = this.#line): Promise<void> {
    this.#line = line;
    this.#isOutdated = true;
    if (this.#meanwhile !== undefined) return;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      this.#meanwhile = [];
      try {
        const read = await api.assistant.conversation.$get({ query: this.#query });
        const told = this.#meanwhile.filter(({ conversation }) => conversation === read.id);
        this.#now.value = told.reduce(applyTurnEvent, read);
        if (this.#isUnread) this.#failure.value = undefined;
        this.#isUnread = false;
      } catch (error) {
        this.#failure.value = failureOf(error);
        this.#isUnread = true;
      }
      this.#meanwhile = undefined;
    }
  }

  take(event: WorkbenchEvent): void {
    if (event.kind === 'reload') void this.refresh();
    if (event.kind === 'note-changed' && this.place.isKept && event.path === this.place.note) {
      if (this.live.value === undefined) void this.refresh();
    }
    if (!('conversation' in event)) return;
    this.#meanwhile?.push(event);
    const now = this.#now.value;
    if (event.conversation === now?.id) this.#now.value = applyTurnEvent(now, event);
  }

  /** Sends a question; the draft is kept until the API has accepted it. */
  async ask(asked: Omit<AskBody, keyof ConversationLocation>): Promise<void> {
    if (this.#isSending.value || this.live.value !== undefined) return;
    this.#isSending.value = true;
    this.#failure.value = undefined;
    try {
      await api.assistant.ask.$post({ json: { ...this.place, ...asked } });
      if (asked.question !== null && this.draft.value.trim() === asked.question.trim()) {
        this.draft.value = '';
      }
    } catch (error) {
      this.#failure.value = failureOf(error);
    } finally {
      this.#isSending.value = false;
    }
  }

  async stop(): Promise<void> {
    const conversation = this.#now.value?.id;
    if (conversation === undefined) return;
    await this.#workbench.attempt(() => api.assistant.stop.$post({ json: { conversation } }));
  }

  readonly answer = async (call: string, isAllowed: boolean): Promise<void> => {
    const json = { call, isAllowed };
    await this.#workbench.attempt(() => api.assistant.answer.$post({ json }));
  };

  async startOver(): Promise<void> {
    this.#failure.value = undefined;
    await this.#workbench.attempt(() => api.assistant.new.$post({ json: this.place }));
  }

  get #query() {
    const { note, isKept } = this.place;
    return {
      ...(note !== null && { note }),
      ...(isKept && { kept: '1' }),
      ...(this.#line !== null && { line: String(this.#line) }),
    };
  }
}
