/** Runs programs of this machine to their end. */
export interface ProgramRunner {
  /**
   * Starts a program without a shell and waits for its end. Whatever it started ends with it, when it exits and
   * when the signal aborts. Never rejects: what goes wrong is an end.
   */
  run(program: Program, signal: AbortSignal): Promise<ProgramEnd>;
}

export interface Program {
  /** A name that is looked up on the PATH, or a path; a relative one starts at `cwd`. */
  readonly command: string;
  readonly args: readonly string[];
  /** An absolute folder. */
  readonly cwd: string;
  /** Over PATH and the harmless part of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
  /** Bytes that are kept of its standard output. */
  readonly outputLimit: number;
}

/** How a program ended. */
export type ProgramEnd =
  /** It never ran; the message says why, and what to do. */
  | { readonly kind: 'not-started'; readonly message: string }
  | (ProgramOutput & {
      readonly kind: 'exited';
      /** Missing when a signal ended it. */
      readonly exitCode?: number;
      readonly signal?: string;
    })
  /** The signal ended it. */
  | (ProgramOutput & { readonly kind: 'aborted' });

export interface ProgramOutput {
  /** The beginning of its standard output. */
  readonly output: string;
  /** The end of its standard error, where programs say why they failed. */
  readonly errorOutput: string;
  /** Whether something of `output` or `errorOutput` was left out. */
  readonly isCut: boolean;
}
