import type { FrontmatterValues } from '@errand/document/frontmatter';
import type { NoteChange } from './note-folder.ts';
import type { MailNote, NoteHead } from './note-head.ts';

/** Where the notes of the mailroom are looked at. */
export interface NoteSource {
  /** Every note of the four folders. */
  scan(signal?: AbortSignal): Promise<readonly NoteHead[]>;
  /** A note as it is now; nothing when there is none. */
  read(path: string): Promise<MailNote | undefined>;
  /** Writes where the vault server cannot be used; absent where notes are reached through it alone. */
  readonly fallback?: NoteFallback | undefined;
}

/** The way around the vault server. */
export interface NoteFallback {
  create(path: string, values: FrontmatterValues, body: string): Promise<void>;
  update(path: string, change: NoteChange): Promise<void>;
  move(from: string, to: string): Promise<void>;
  removeDouble(path: string, other: string): void;
}
