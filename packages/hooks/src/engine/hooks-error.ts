/** Why something that was asked of hooks, or a run, failed. */
export type HooksErrorCode =
  /** No hook has that id or name. */
  | 'unknown_hook'
  /** No run has that id. */
  | 'unknown_run'
  /** The hook is not what the one who asks has seen. */
  | 'changed'
  /** Nobody on this machine agreed to the hook as it is. */
  | 'untrusted'
  /** A program of a hook asked for a run that would make a loop. */
  | 'chain_ended'
  /** Hooks do not run in this program. */
  | 'closed'
  /** What was asked cannot be understood. */
  | 'invalid'
  /** How a run ended. */
  | 'failure'
  | 'timeout'
  | 'cancelled'
  | 'lost';

/** A failure of what was asked of hooks. */
export class HooksError extends Error {
  readonly code: HooksErrorCode;

  constructor(code: HooksErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HooksError';
    this.code = code;
  }
}
