import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: ((options: object) => void) | undefined;

/** Collects all garbage and gives the pages back to the system, where this runtime lets us. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    const exposed: unknown = runInNewContext('globalThis.gc');
    collect = typeof exposed === 'function' ? (options) => exposed(options) : () => {};
  }
  // The usual kind keeps the freed pages for later.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
