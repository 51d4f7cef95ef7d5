import type { TextEdit } from '@errand/document';

/** The notes of a vault, by path relative to it. An edit is applied whole or not at all. */
export interface NoteStore {
  /** Rejects with `note_unreadable` when there is no such note or it is not text. */
  read(path: string, signal?: AbortSignal): Promise<string>;
  /** Rejects with `note_unreadable` when an edit could not be written. */
  ensureWritable(path: string, signal?: AbortSignal): Promise<void>;
  /**
   * Asks for edits of the text as it is now and applies them; asks again when the text changed
   * meanwhile. No edits, no write. Resolves with whether the note changed.
   */
  edit(
    path: string,
    change: (text: string) => readonly TextEdit[],
    signal?: AbortSignal,
  ): Promise<boolean>;
  /**
   * Runs the work while nobody else runs the same request of the note, in whichever program. Without it, only runs
   * of one program know of each other.
   */
  whileRunning?<Result>(
    path: string,
    request: string,
    work: (earlier: EarlierRun) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
}

/** What was known of another run of the same request: it ended while this one waited, or its program ended in its middle. */
export type EarlierRun = 'none' | 'ended' | 'interrupted';
