import type { Failure } from './failure.ts';

export interface Tool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  /** An untrusted JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  /** Why it cannot be called although it is listed. */
  readonly broken: string | null;
  /** A block to paste, with its parameters to fill in. */
  readonly template: string;
}

export interface CallAnswer {
  readonly id: string;
  readonly status: 'success' | 'error' | 'timeout' | 'cancelled';
  readonly durationMs: number;
  readonly attempts: number;
  readonly content: CallContent | null;
  readonly error: Failure | null;
}

/** A tool's answer as it is shown. */
export interface CallContent {
  readonly type: 'text' | 'json' | 'markdown' | 'image';
  /** Text and Markdown as they are, JSON indented; empty for an image. */
  readonly text: string;
  /** Images and other binaries, for `data:` addresses. */
  readonly attachments: readonly { readonly mimeType: string; readonly data: string }[];
  /** The text is longer than this and was cut. */
  readonly isCut: boolean;
  /** Files of the vault with the rest of an answer that stands in a note. */
  readonly files?: readonly { readonly path: string; readonly label: string }[];
}
