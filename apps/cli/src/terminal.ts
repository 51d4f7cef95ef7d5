import type { Readable, Writable } from 'node:stream';
import type { Paint } from './paint.ts';

/** The outside of the program: where it reads, where it writes, and what surrounds it. */
export interface Terminal {
  readonly stdin: Readable & {
    readonly isTTY?: boolean;
    /** Whether keys come one by one, and not line by line. */
    readonly setRawMode?: (isRaw: boolean) => unknown;
  };
  /** Results, and nothing else. What could command a terminal is escaped in texts. */
  readonly stdout: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly paint?: Paint;
  };
  /** The same as it is, for what other programs read; absent when it is a terminal. */
  readonly rawOutput?: Writable;
  /** Progress, notices and errors. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Colours for it; absent where it has none. */
  readonly paintError?: Paint;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Does what Ctrl-C does. */
  readonly interrupt: () => void;
  /** Lets the process exit although output is still unread. */
  readonly abandonOutput?: () => void;
}
