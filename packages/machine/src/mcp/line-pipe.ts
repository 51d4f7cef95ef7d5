import type { Readable, Writable } from 'node:stream';
import type { HostError } from '@errand/host';

/** The standard streams of a running server: a child process or a container. */
export interface LinePipe {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with the reason when the server has ended, whoever ended it. */
  readonly ended: Promise<HostError>;
  /** The last of what the server wrote to standard error. */
  lastOutput(): string;
  /** Adds a line of our own to its last words: garbage it wrote to standard output. */
  note(line: string): void;
  /** Ends the server; resolves when nothing of it runs. */
  end(): Promise<void>;
}
