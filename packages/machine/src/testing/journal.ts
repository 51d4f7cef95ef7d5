// Node alone: the scriptable server also runs in containers that have nothing else of the repository.
import { addAbortListener } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import type { JournalLine } from './server-script.ts';

/** What a scriptable server has written down so far. */
export function readJournal(path: string): JournalLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
}

/** Waits until a journal has such a line. */
export function journalled(
  path: string,
  isWanted: (line: JournalLine) => boolean,
  signal: AbortSignal,
): Promise<JournalLine> {
  return new Promise((resolve, reject) => {
    const watcher = watch(path, look);
    const { [Symbol.dispose]: stopListening } = addAbortListener(signal, () => {
      watcher.close();
      reject(signal.reason);
    });
    look();

    function look() {
      const found = readJournal(path).find(isWanted);
      if (found === undefined) return;
      watcher.close();
      stopListening();
      resolve(found);
    }
  });
}
