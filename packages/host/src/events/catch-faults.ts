import type { Notice } from '../notifier.ts';

/** Receives what a handler threw. */
export type OnFault = (error: unknown) => void;

/**
 * Wraps a handler of a stream, timer or event so that it never throws: errors and rejections go to `onFault`,
 * which ends the operation that the handler belongs to.
 */
export function catchFaults<Args extends readonly unknown[]>(
  handler: (...args: Args) => unknown,
  onFault: OnFault,
): (...args: Args) => void {
  const fail = (error: unknown) => {
    try {
      onFault(error);
    } catch {
      // The fault handler failed too; the other handlers must still run.
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
