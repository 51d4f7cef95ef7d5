import { pollFiles } from '@errand/files';
import { catchFaults } from '@errand/host';
import { warnOfFault } from './warn-of-fault.ts';

/**
 * Reports the text that is read at first and after each change of some files, undefined when it cannot be read;
 * returns a function that stops it.
 */
export function watchFileText(
  paths: readonly string[],
  read: () => Promise<string | undefined>,
  listener: (text: string | undefined) => void,
): () => void {
  const stop = new AbortController();
  void watch(paths, read, listener, stop.signal);
  return () => stop.abort();
}

async function watch(
  paths: readonly string[],
  read: () => Promise<string | undefined>,
  listener: (text: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  // A listener that throws is still called for the next change.
  const tell = catchFaults(listener, warnOfFault);
  for await (const _ of pollFiles(paths, signal, { ref: false })) {
    const text = await read().catch(() => undefined);
    if (!signal.aborted) tell(text);
  }
}
