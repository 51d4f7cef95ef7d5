import { HostError } from '@errand/host';

/** The answers that are being written: one in a note at most. Disposing it stops them and waits for their end. */
export class NoteAnswers<Note> implements AsyncDisposable {
  readonly #running = new Map<Note, Running>();
  #isClosing = false;

  /** Runs the work of an answer unless the note has one already; it is handed what stops it. */
  async run(note: Note, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.ensureFree(note);
    if (this.#isClosing) return;
    const stopping = new AbortController();
    // Begun a moment later, when whoever looks for it can find it.
    const end = Promise.resolve().then(() => work(stopping.signal));
    this.#running.set(note, { stopping, end });
    try {
      await end;
    } finally {
      this.#running.delete(note);
    }
  }

  /** Throws while an answer is being written into the note. */
  ensureFree(note: Note): void {
    if (this.isAnswering(note)) throw new HostError('note_changed', busy);
  }

  /** Stops the answer in a note; returns whether there was one. */
  stop(note: Note): boolean {
    const running = this.#running.get(note);
    running?.stopping.abort();
    return running !== undefined;
  }

  isAnswering(note: Note): boolean {
    return this.#running.has(note);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    const all = [...this.#running.values()];
    for (const { stopping } of all) stopping.abort();
    await Promise.allSettled(all.map(({ end }) => end));
  }
}

interface Running {
  readonly stopping: AbortController;
  readonly end: Promise<void>;
}

const busy = 'An answer is still coming in this note. Stop it, or wait for it.';
