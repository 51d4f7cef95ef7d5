import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SettingsValues, WorkbenchEvent, WorkbenchState } from '../../contract.ts';
import { ApiProblem, api, ask, failureOf } from './api.ts';
import { applyEvent } from './apply-event.ts';
import { Toasts } from './toasts.ts';
import { TrustQuestion } from './trust-question.ts';

/** `refused`: this browser does not hold the link's token. */
export type Connection = 'loading' | 'live' | 'lost' | 'refused';

/** By setting: what stands in its control, and what was stored when typing began. */
export interface UnsavedSettings {
  readonly draft: Typed;
  readonly basis: Typed;
}

type Typed = Readonly<Partial<Record<keyof SettingsValues, string>>>;

/** Hundreds of calls end within a moment; the page is drawn for all of them together. */
const collectMs = 16;

/** What the page knows: the API's state, kept up by its events. */
export class WorkbenchModel {
  readonly toasts = new Toasts();
  readonly #state = signal<WorkbenchState | undefined>(undefined);
  readonly #connection = signal<Connection>('loading');
  readonly #listeners = new Set<(event: WorkbenchEvent) => void>();
  #stream: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** What came within a moment, to be drawn at once. */
  #waiting: WorkbenchEvent[] = [];
  #collecting: ReturnType<typeof setTimeout> | undefined;

  readonly state: ReadonlySignal<WorkbenchState | undefined> = this.#state;
  readonly connection: ReadonlySignal<Connection> = this.#connection;
  readonly servers = computed(() => this.#state.value?.servers ?? []);
  readonly pending = computed(() => this.#state.value?.trust.pending ?? []);
  readonly trustQuestion = new TrustQuestion(this.pending);
  readonly calls = computed(() => this.#state.value?.calls ?? noCalls);
  /** What was typed in Settings and is not saved; it stays while the person is in another place. */
  readonly unsavedSettings = signal<UnsavedSettings>({ draft: {}, basis: {} });
  readonly questions = computed(() => this.#state.value?.questions ?? []);

  /** Every event as it comes; `reload` says that anything may be different. */
  subscribe(listener: (event: WorkbenchEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads everything and follows what happens from there; comes back by itself when it is cut off. */
  async load(): Promise<void> {
    clearTimeout(this.#retry);
    this.#stream?.close();
    try {
      const state = await ask(api.state.$get());
      const isAgain = this.#state.value !== undefined;
      this.#state.value = state;
      this.#follow(state.sequence);
      if (isAgain) this.#tell({ kind: 'reload' });
    } catch (error) {
      const isRefused = error instanceof ApiProblem && [401, 403].includes(error.status);
      this.#connection.value = isRefused ? 'refused' : 'lost';
      // Also when refused: the link may be opened in another tab, which lets this one in too.
      this.#comeBack();
    }
  }

  /** Takes in what an answer says before its event arrives. */
  apply(event: WorkbenchEvent): void {
    const state = this.#state.value;
    if (state !== undefined) this.#state.value = applyEvent(state, event);
  }

  /** Does something, and tells the person when it fails. Returns what came of it. */
  async attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      this.toasts.fail(failureOf(error));
      return undefined;
    }
  }

  /** Whether calls are stopped; if so, says what to do instead of sending one that would be refused. */
  refuseIfStopped(): boolean {
    if (!this.calls.value.isStopped) return false;
    this.toasts.fail({ code: 'stopped', message: 'Calls are stopped. Resume to run this.' });
    return true;
  }

  #follow(sequence: string): void {
    const stream = new EventSource(`/api/events?after=${encodeURIComponent(sequence)}`);
    this.#stream = stream;
    stream.onopen = () => {
      const isBack = ['lost', 'refused'].includes(this.#connection.value);
      if (isBack) this.toasts.tell('Reconnected. This page is up to date.');
      this.#connection.value = 'live';
    };
    this.#waiting = [];
    stream.onmessage = ({ data }) => this.#collect(JSON.parse(data));
    stream.onerror = () => {
      this.#connection.value = 'lost';
      // A browser gives up by itself when it is answered with anything but a stream.
      if (stream.readyState === EventSource.CLOSED) this.#comeBack();
    };
  }

  #comeBack(): void {
    // What happened meanwhile was not heard.
    this.#retry = setTimeout(() => void this.#take({ kind: 'reload' }), 1_000);
  }

  #collect(event: WorkbenchEvent): void {
    this.#waiting.push(event);
    this.#collecting ??= setTimeout(() => {
      this.#collecting = undefined;
      batch(() => {
        for (const told of this.#waiting.splice(0)) this.#take(told);
      });
    }, collectMs);
  }

  #take(event: WorkbenchEvent): void {
    if (event.kind === 'reload') void this.load();
    else {
      this.apply(event);
      if (event.kind === 'notice') this.toasts.show(event.notice);
      this.#tell(event);
    }
  }

  #tell(event: WorkbenchEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const noCalls = { isStopped: false, active: [], sessions: [] } as const;
