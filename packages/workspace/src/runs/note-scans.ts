import { type NoteScan, rescan, scan } from '@errand/document';
import { difference } from '@errand/document/display';

/** How many notes are remembered; more are hardly shown at once. */
const mostNotes = 50;

/** Scans notes. Whoever asks again about the same text gets the same scan; after a change only that is read again. */
export class NoteScans {
  readonly #scans = new Map<string, NoteScan>();
  /** How often a text was read. */
  reads = 0;

  of(path: string, text: string): NoteScan {
    const known = this.#scans.get(path);
    if (known?.text === text) return known;
    this.reads += 1;
    const now = known === undefined ? scan(text) : rescanned(known, text);
    // Put last: the first is the one that was not asked for the longest.
    this.#scans.delete(path);
    this.#scans.set(path, now);
    const [oldest] = this.#scans.keys();
    if (this.#scans.size > mostNotes && oldest !== undefined) this.#scans.delete(oldest);
    return now;
  }

  forget(path: string): void {
    this.#scans.delete(path);
  }
}

function rescanned(known: NoteScan, text: string): NoteScan {
  const changed = difference(known.text, text);
  if (changed === undefined) return known;
  const { from, toBefore, toAfter } = changed;
  return rescan(known, { range: [from, toBefore], text: text.slice(from, toAfter) });
}
