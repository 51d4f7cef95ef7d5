/** How the scriptable server behaves; given to it as JSON in its one argument. */
export interface ServerScript {
  readonly name?: string;
  /** The revision it insists on: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28. */
  readonly protocolVersion?: string;
  readonly instructions?: string;
  /** `hang` never answers the handshake, `exit` ends at once with code 3. */
  readonly onStart?: 'hang' | 'exit';
  /** `exit` ends at once with code 3 when the journal shows an earlier start. */
  readonly onRestart?: 'exit';
  /** Its answer to `initialize`, in place of the usual one. */
  readonly initialize?: { readonly result: unknown } | { readonly error: unknown };
  /** Milliseconds before it answers the handshake. */
  readonly startDelay?: number;
  /** Written to standard output, as it is, before the handshake is answered. */
  readonly garbage?: readonly string[];
  /** Written to standard error at the start. */
  readonly stderr?: string;
  /** What it does about the end of input. */
  readonly onEndOfInput?: 'exit' | 'ignore';
  readonly ignoreTerm?: boolean;
  /** Starts a process that outlives it: in its group, or in a session of its own. */
  readonly grandchild?: 'group' | 'session';
  /** A file that gets one line of JSON for every call, cancel and process of this server. */
  readonly journal?: string;
  /** Lists tools with broken schemas among the good ones. */
  readonly badSchemas?: boolean;
  /** Tools beside the built-in ones, described as given; called, they echo. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  /** Tools on one page of the list; all on one without it. */
  readonly pageSize?: number;
  /** Hands out the same cursor for ever. */
  readonly endlessPages?: boolean;
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** One line of a journal. */
export interface JournalLine {
  readonly kind: 'started' | 'grandchild' | 'call' | 'cancelled';
  readonly pid: number;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Why a call was cancelled, as the client said it. */
  readonly reason?: unknown;
}
