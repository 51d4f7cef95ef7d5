import type { Display } from '../blocks/block-options.ts';
import type { Container } from '../scan/note-scan.ts';

export type ResultType = 'text' | 'json' | 'markdown' | 'image';

/** A result in the note. */
export interface ResultBlock {
  /** A fence, live Markdown between comments, or a callout. */
  readonly form: 'fence' | 'markdown' | 'callout';
  readonly status: 'success' | 'error';
  readonly line: number;
  readonly endLine: number;
  /** Where its first line begins, container prefix included. */
  readonly from: number;
  readonly to: number;
  readonly req: string | null;
  readonly sum: string | null;
  readonly type: ResultType | null;
  readonly code: string | null;
  /** The form that its block asked for, where the answer has another type by itself. */
  readonly as: 'text' | 'json' | null;
  /** How to display it. */
  readonly display: Display | null;
  readonly payload: string;
  /** Whether the payload no longer matches its `sum`. */
  readonly isEdited: boolean;
  /** Whether its end was found. */
  readonly isClosed: boolean;
  readonly container: Container | null;
}
