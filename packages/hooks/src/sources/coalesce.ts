import { catchFaults, type OnFault } from '@errand/host';

/** Work that runs when it is asked for, never twice at once. */
interface Coalesced {
  /** Runs the work; what is asked for while it runs leads to one more run. */
  request(): void;
  /** Resolves when nothing runs or waits to be run. */
  idle(): Promise<void>;
}

/** Wraps work so that it runs one at a time, and its failures go to `onFault`. */
export function coalesce(work: () => Promise<void>, onFault: OnFault): Coalesced {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const fail = catchFaults(
    (error: unknown) => onFault(error),
    () => undefined,
  );
  const run = async () => {
    while (isAsked) {
      isAsked = false;
      await work().catch(fail);
    }
    running = undefined;
  };
  return {
    request() {
      isAsked = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
