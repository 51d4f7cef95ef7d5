import { describeFault, HostError } from '@errand/host';
import type { ActionContext, ActionOutcome } from '../hook-run.ts';

/** Why an action did not succeed; becomes its outcome. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly outcome: ActionOutcome;

  /** The message says what happened, and what to do. */
  constructor(code: string, message: string, more: Omit<ActionOutcome, 'message' | 'code'>) {
    super(message);
    this.outcome = { ...more, code, message };
  }
}

/** A failure with the given parts. */
export function failed(
  code: string,
  message: string,
  more: Partial<ActionOutcome> = {},
): ActionError {
  return new ActionError(code, message, { status: 'failure', ...more });
}

/** Throws when parameters cannot be used. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw failed('invalid_params', problems.join('\n'));
}

interface Deadline {
  /** Milliseconds. */
  readonly timeout: number | undefined;
  /** What may be true of an action that was ended early. */
  readonly afterwards?: string;
}

/** What an action gets that names no timeout. */
export const defaultTimeout = 30_000;

/** Does the work within its time, and makes an outcome of every end. */
export async function carryOut(
  context: Pick<ActionContext, 'signal'>,
  { timeout = defaultTimeout, afterwards }: Deadline,
  work: (signal: AbortSignal) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const deadline = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([context.signal, deadline]);
  try {
    signal.throwIfAborted();
    return await work(signal);
  } catch (error) {
    // Whatever failed after the signal aborted failed because of it.
    const { output } = error instanceof ActionError ? error.outcome : {};
    const rest = { ...(output !== undefined && { output }) };
    const say = (what: string) => [what, afterwards].filter(Boolean).join(' ');
    if (context.signal.aborted) {
      return { status: 'cancelled', code: 'cancelled', message: say('It was cancelled.'), ...rest };
    }
    if (deadline.aborted) {
      const message = `It took longer than ${timeout / 1000} s. Write a larger "timeout" into the action, up to 300000 milliseconds.`;
      return { status: 'timeout', code: 'timeout', message: say(message), ...rest };
    }
    if (error instanceof ActionError) return error.outcome;
    if (error instanceof HostError) {
      return { status: 'failure', code: error.code, message: error.message };
    }
    const message = `A defect of Errand ended the action (${describeFault(error)}). Please report it.`;
    return { status: 'failure', code: 'defect', message: say(message) };
  }
}
