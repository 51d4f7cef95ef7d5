import { describeFault } from '@errand/host';

/** Writes a contained defect to standard error, where no notifier is available. */
export function warnOfFault(error: unknown): void {
  process.emitWarning(`${describeFault(error)} This is a defect of Errand; please report it.`);
}
