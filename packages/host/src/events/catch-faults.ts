import type { Notice } from '../notifier.ts';

/** Told what a guarded handler threw. */
export type OnFault = (error: unknown) => void;

/**
 * A handler for streams, timers and events that never throws: whatever it throws, or rejects with when it is
 * async, goes to `onFault`, which ends what the handler worked for.
 */
export function catchFaults<Args extends readonly unknown[]>(
  handler: (...args: Args) => unknown,
  onFault: OnFault,
): (...args: Args) => void {
  const fail = (error: unknown) => {
    try {
      onFault(error);
    } catch {
      // Whoever should be told is broken too, and the others must go on.
    }
  };
  return (...args) => {
    try {
      const result = handler(...args);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The notice about a defect that was contained. */
export function faultNotice(what: string, error: unknown, server?: string): Notice {
  return {
    level: 'error',
    message: `${what}. This is a defect of Errand; please report it.`,
    detail: describeFault(error),
    ...(server !== undefined && { server }),
  };
}

/** The message of whatever was thrown. */
export function describeFault(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : `A value of type ${typeof error} was thrown.`;
}
