import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SettingsValues, WorkbenchEvent, WorkbenchState } from '../../contract.ts';
import { ApiProblem, api, failureOf } from './api.ts';
import { applyEvent } from './apply-event.ts';
import { Toasts } from './toasts.ts';
import { TrustQuestion } from './trust-question.ts';

/** `refused`: this browser does not hold the link's token. */
export type Connection = 'loading' | 'live' | 'lost' | 'refused';

/** By setting: the text of its control, and the stored value when typing began. */
export interface UnsavedSettings {
  readonly draft: Typed;
  readonly basis: Typed;
}

type Typed = Readonly<Partial<Record<keyof SettingsValues, string>>>;

/** Events are batched, so that hundreds of calls that end together cause one render. */
const collectMs = 16;

/** The state of the workbench, loaded from the API and updated by its events. */
export class WorkbenchModel {
  readonly toasts = new Toasts();
  readonly #state = signal<WorkbenchState | undefined>(undefined);
  readonly #connection = signal<Connection>('loading');
  readonly #listeners = new Set<(event: WorkbenchEvent) => void>();
  #stream: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Events of the current batch. */
  #waiting: WorkbenchEvent[] = [];
  #collecting: ReturnType<typeof setTimeout> | undefined;

  readonly state: ReadonlySignal<WorkbenchState | undefined> = this.#state;
  readonly connection: ReadonlySignal<Connection> = this.#connection;
  readonly servers = computed(() => this.#state.value?.servers ?? []);
  readonly pending = computed(() => this.#state.value?.trust.pending ?? []);
  readonly trustQuestion = new TrustQuestion(this.pending);
  readonly calls = computed(() => this.#state.value?.calls ?? noCalls);
  /** Unsaved settings, kept while another page is open. */
  readonly unsavedSettings = signal<UnsavedSettings>({ draft: {}, basis: {} });
  readonly questions = computed(() => this.#state.value?.questions ?? []);

  /** Subscribes to all events; `reload` means that anything may have changed. */
  subscribe(listener: (event: WorkbenchEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads the state and follows events from there; reconnects by itself. */
  async load(): Promise<void> {
    clearTimeout(this.#retry);
    this.#stream?.close();
    try {
      const state = await api.state.$get();
      const isAgain = this.#state.value !== undefined;
      this.#state.value = state;
      this.#follow(state.sequence);
      if (isAgain) this.#tell({ kind: 'reload' });
    } catch (error) {
      const isRefused = error instanceof ApiProblem && [401, 403].includes(error.status);
      this.#connection.value = isRefused ? 'refused' : 'lost';
      // Retry also when refused: opening the link in another tab lets this one in too.
      this.#comeBack();
    }
  }

  /** Applies a change before its event arrives. */
  apply(event: WorkbenchEvent): void {
    const state = this.#state.value;
    if (state !== undefined) this.#state.value = applyEvent(state, event);
  }

  /** Runs a request and shows a toast when it fails; undefined then. */
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
      // EventSource does not reconnect after a response that is not a stream.
      if (stream.readyState === EventSource.CLOSED) this.#comeBack();
    };
  }

  #comeBack(): void {
    // Events were missed meanwhile, so load everything again.
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
