import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, WorkbenchEvent } from '../../../contract.ts';
import { type AnswerOf, api, failureOf } from '../../model/api.ts';
import type { WorkbenchModel } from '../../model/workbench-model.ts';
import { DraftStore } from './draft-store.ts';
import { OpenNote } from './open-note.ts';

type NoteList = AnswerOf<typeof api.notes.$get>;

/** The list of notes, and the notes that are open or have unsaved text. */
export class NotesModel {
  readonly #workbench: WorkbenchModel;
  readonly #drafts: DraftStore;
  readonly #list = signal<NoteList | undefined>(undefined);
  readonly #failure = signal<Failure | undefined>(undefined);
  readonly #open = new Map<string, OpenNote>();
  /** Tells other tabs which versions this one has written, so that a conflict can name its cause. */
  readonly #tabs = new BroadcastChannel('errand-saved-notes');

  readonly list: ReadonlySignal<NoteList | undefined> = this.#list;
  readonly failure: ReadonlySignal<Failure | undefined> = this.#failure;
  /** Expanded folders; undefined until the person has changed one. */
  readonly unfolded = signal<ReadonlySet<string> | undefined>(undefined);
  readonly query = signal('');

  constructor(workbench: WorkbenchModel) {
    this.#workbench = workbench;
    const vault = () => workbench.state.value?.vault.folder ?? '';
    this.#drafts = new DraftStore(localStorage, vault);
    workbench.subscribe((event) => this.#take(event));
    this.#tabs.onmessage = ({ data: { path, etag } }: MessageEvent<SavedNote>) =>
      this.#open.get(path)?.markFromTab(etag);
  }

  async load(): Promise<void> {
    try {
      this.#list.value = await api.notes.$get();
      this.#failure.value = undefined;
    } catch (error) {
      this.#failure.value = failureOf(error);
    }
  }

  /** Opens a note; others are kept only while they have unsaved text. */
  open(path: string): OpenNote {
    for (const [other, { draft }] of this.#open) {
      if (other !== path && draft.value === undefined) this.#open.delete(other);
    }
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const opened = new OpenNote(path, this.#workbench, this.#drafts, (etag) =>
      this.#tabs.postMessage({ path, etag } satisfies SavedNote),
    );
    this.#open.set(path, opened);
    return opened;
  }

  #take(event: WorkbenchEvent): void {
    if (event.kind === 'reload') void this.load();
    if (event.kind === 'notes-changed' && this.#list.value !== undefined) {
      this.#list.value = { ...this.#list.value, notes: merge(this.#list.value.notes, event) };
    }
    for (const note of this.#open.values()) note.take(event);
  }
}

interface SavedNote {
  readonly path: string;
  readonly etag: string;
}

interface ListChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

function merge(notes: readonly string[], { added, removed }: ListChange): readonly string[] {
  const gone = new Set([...removed, ...added]);
  const kept = notes.filter((path) => !gone.has(path));
  return added.length === 0 ? kept : [...kept, ...added].sort(byName);
}

// As the API sorts them.
const { compare: byName } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
