import { describeFault } from '@errand/host';

/** Writes a contained defect to standard error, for those who have nobody else to tell. */
export function warnOfFault(error: unknown): void {
  process.emitWarning(`${describeFault(error)} This is a defect of Errand; please report it.`);
}
