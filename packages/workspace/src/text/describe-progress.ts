import type { Progress } from '@errand/host';

/** `3 of 9`, or `3` when the server does not say how much there is to do. */
export function progressShare({ progress, total }: Progress): string {
  return total === undefined ? String(progress) : `${progress} of ${total}`;
}

/** `3 of 9: Reading`. */
export function describeProgress(progress: Progress): string {
  const share = progressShare(progress);
  return progress.message === undefined ? share : `${share}: ${progress.message}`;
}
