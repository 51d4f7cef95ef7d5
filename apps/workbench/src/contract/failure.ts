import type { Advice } from '@errand/host';
import type { Note } from './note.ts';

export interface ApiFailure {
  readonly error: Failure;
  /** With `conflict`: the note as it is now. */
  readonly current?: Note;
}

export interface Failure {
  /** A code of the host (`server_unknown`, `untrusted`, …), or `conflict`, `invalid_input`, `not_found`, `forbidden`, `vault_missing`, `internal`. */
  readonly code: string;
  /** A sentence for a person: what happened. */
  readonly message: string;
  /** What to do about it; the page says how. */
  readonly advice?: readonly Advice[];
  /** What is wrong in each field of a form, by the name of the body's field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The server's last lines on standard error, when it failed. */
  readonly lastWords?: string;
}
