import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalLine, readJournal } from '@errand/machine/testing';

/** A file in which a scripted server notes what happens to it; gone with its test. */
export class TemporaryJournal implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errand-journal-'));
  readonly path = join(this.#folder, 'journal');

  constructor() {
    writeFileSync(this.path, '');
  }

  read(): readonly JournalLine[] {
    return readJournal(this.path);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
