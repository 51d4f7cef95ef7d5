import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Note, WorkbenchEvent } from '../../../contract.ts';
import { ApiProblem, api, failureOf } from '../../model/api.ts';
import type { WorkbenchModel } from '../../model/workbench-model.ts';
import { BlockCards } from './block-cards.ts';
import type { Draft, DraftStore } from './draft-store.ts';
import { mergeResults } from './merge-results.ts';

type RunChoice = Parameters<typeof api.note.run.$post>[0]['json'];

/** Minimum time between two reads of a note that changes constantly. */
const pauseMs = 100;

/** An open note: the version on disk, the draft, and its running blocks. */
export class OpenNote {
  readonly path: string;
  readonly cards = new BlockCards();
  /** What the source editor left when it was closed, so that undo goes on there. */
  editorState: unknown;
  readonly #workbench: WorkbenchModel;
  readonly #drafts: DraftStore;
  readonly #note = signal<Note | undefined>(undefined);
  readonly #failure = signal<Failure | undefined>(undefined);
  readonly #draft = signal<Draft | undefined>(undefined);
  readonly #isSaving = signal(false);
  readonly #isDraftSafe = signal(true);
  readonly #tabEtag = signal<string | undefined>(undefined);
  readonly #announce: (etag: string) => void;
  #reading: Promise<void> | undefined;
  #isOutdated = false;

  /** The last version read; kept when the file can no longer be read. */
  readonly note: ReadonlySignal<Note | undefined> = this.#note;
  readonly failure: ReadonlySignal<Failure | undefined> = this.#failure;
  readonly draft: ReadonlySignal<Draft | undefined> = this.#draft;
  readonly isSaving: ReadonlySignal<boolean> = this.#isSaving;
  /** Whether the draft is stored and survives a reload. */
  readonly isDraftSafe: ReadonlySignal<boolean> = this.#isDraftSafe;
  /** Whether the file differs from the version that the draft is based on. */
  readonly isConflict = computed(() => {
    const [note, draft] = [this.#note.value, this.#draft.value];
    const isRead = note !== undefined && this.#failure.value === undefined;
    return isRead && draft !== undefined && draft.etag !== note.etag;
  });

  /** Whether the file can no longer be read; saving the draft makes it again. */
  readonly isMissing = computed(() => this.#failure.value?.code === 'note_unreadable');

  /** Whether the conflicting version was written by another tab of this browser. */
  readonly isFromTab = computed(() => this.#note.value?.etag === this.#tabEtag.value);

  /** `announce` tells other tabs the version that this one has written. */
  constructor(
    path: string,
    workbench: WorkbenchModel,
    drafts: DraftStore,
    announce: (etag: string) => void,
  ) {
    this.path = path;
    this.#announce = announce;
    this.#workbench = workbench;
    this.#drafts = drafts;
    this.#draft.value = drafts.read(path);
  }

  /** Reads the note again; a call during a read causes one more read. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  take(event: WorkbenchEvent): void {
    if (event.kind === 'reload') void this.refresh();
    if (!('path' in event) || event.path !== this.path) return;
    if (event.kind === 'note-changed' && event.etag !== this.#note.value?.etag) void this.refresh();
    if (event.kind === 'run-started') this.cards.start(event.runId, event.keys);
    if (event.kind === 'block-changed') this.cards.change(event.key, event.run, event.end);
    if (event.kind !== 'run-ended') return;
    this.cards.end(event.runId, event.results);
    if (event.error !== null) this.#workbench.toasts.fail(event.error);
  }

  /** Remembers the version that another tab has written. */
  markFromTab(etag: string): void {
    this.#tabEtag.value = etag;
  }

  /** Updates the draft with what was typed. */
  edit(text: string): void {
    const note = this.#note.value;
    if (text === note?.text) this.#drop();
    else this.#keep({ text, etag: this.#draft.value?.etag ?? note?.etag ?? '' });
  }

  /** Saves the draft; returns whether nothing is left unsaved. */
  async save(): Promise<boolean> {
    const draft = this.#draft.value;
    if (draft === undefined) return true;
    if (this.#isSaving.value) return false;
    this.#isSaving.value = true;
    try {
      // A file that is gone is made again.
      const json = this.isMissing.value ? { ...draft, etag: null } : draft;
      const saved = await api.note.$put({ query: this.#query, json });
      this.#announce(saved.etag);
      const typed = this.#draft.value;
      if (typed !== undefined && typed.text !== draft.text) {
        this.#keep({ text: typed.text, etag: saved.etag });
      }
      this.#show(saved);
    } catch (error) {
      if (error instanceof ApiProblem && error.current) this.#show(error.current);
      const failure = failureOf(error);
      this.#workbench.toasts.fail(failure);
      if (failure.code === 'note_unreadable') void this.refresh();
    } finally {
      this.#isSaving.value = false;
    }
    return this.#draft.value === undefined;
  }

  /** Overwrites the last known version of the file with the draft. */
  keepMine(): Promise<boolean> {
    const [note, draft] = [this.#note.value, this.#draft.value];
    if (note !== undefined && draft !== undefined) this.#keep({ ...draft, etag: note.etag });
    return this.save();
  }

  /** Discards the draft. */
  discard(): void {
    this.#drop();
  }

  async run(json: RunChoice): Promise<void> {
    if (this.#workbench.refuseIfStopped()) return;
    await this.#attempt(() => api.note.run.$post({ query: this.#query, json }));
  }

  /** Cancels these blocks, or all blocks of the note. */
  async cancel(keys?: readonly string[]): Promise<void> {
    const json = keys === undefined ? {} : { keys };
    await this.#workbench.attempt(() => api.note.cancel.$post({ query: this.#query, json }));
  }

  /** Turns an edited result into ordinary text. */
  keepResult(key: string): Promise<void> {
    return this.#change((etag) =>
      api.note.result.$post({ query: this.#query, json: { key, decision: 'keep', etag } }),
    );
  }

  bind(line: number, server: string | null): Promise<void> {
    return this.#change((etag) =>
      api.note.bind.$post({ query: this.#query, json: { line, server, etag } }),
    );
  }

  get #query() {
    return { path: this.path };
  }

  async #change(work: (etag: string) => Promise<Note>): Promise<void> {
    const changed = await this.#attempt(work);
    if (changed === undefined) return;
    this.#announce(changed.etag);
    this.#show(changed);
  }

  /** Saves the draft before work on the file. */
  async #attempt<Value>(work: (etag: string) => Promise<Value>): Promise<Value | undefined> {
    if (this.isConflict.value) {
      this.#workbench.toasts.fail({
        code: 'conflict',
        message: 'First choose which version to keep: yours, or the file on disk.',
      });
      return undefined;
    }
    if (!(await this.save())) return undefined;
    return this.#workbench.attempt(async () => {
      try {
        return await work(this.#note.value?.etag ?? '');
      } catch (error) {
        if (error instanceof ApiProblem && error.current) this.#show(error.current);
        throw error;
      }
    });
  }

  async #read(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const started = performance.now();
      this.cards.beginReading();
      try {
        this.#show(await api.note.$get({ query: this.#query }));
      } catch (error) {
        this.#failure.value = failureOf(error);
      }
      if (this.#isOutdated) await pause(Math.max(pauseMs, performance.now() - started));
    }
  }

  #show(note: Note): void {
    const [before, draft] = [this.#note.value, this.#draft.value];
    batch(() => {
      this.#failure.value = undefined;
      this.#note.value = note;
      this.cards.show(note.blocks);
      if (draft?.text === note.text) this.#drop();
      else if (draft !== undefined && draft.etag === before?.etag && draft.etag !== note.etag) {
        const text = mergeResults(before, note, draft.text);
        if (text !== undefined) this.#keep({ text, etag: note.etag });
      }
    });
  }

  #keep(draft: Draft): void {
    this.#draft.value = draft;
    this.#isDraftSafe.value = this.#drafts.write(this.path, draft);
  }

  #drop(): void {
    if (this.#draft.value !== undefined) this.#drafts.remove(this.path, this.#draft.value);
    this.#draft.value = undefined;
    this.#isDraftSafe.value = true;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
