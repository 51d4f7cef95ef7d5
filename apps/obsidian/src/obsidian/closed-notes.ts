import type { TFile, Vault } from 'obsidian';

/** The texts of notes that are shown and not open: in an embed, on a canvas. */
export class ClosedNotes {
  readonly #vault: Pick<Vault, 'cachedRead'>;
  readonly #onRead: (file: TFile) => void;
  readonly #texts = new WeakMap<TFile, ClosedNote>();

  constructor(vault: Pick<Vault, 'cachedRead'>, onRead: (file: TFile) => void) {
    this.#vault = vault;
    this.#onRead = onRead;
  }

  /** The text that was read last; reads it again when the file has changed, and notifies listeners. */
  textOf(file: TFile): string | undefined {
    const known = this.#texts.get(file);
    if (known?.mtime === file.stat.mtime) return known.text;
    const read: ClosedNote = { mtime: file.stat.mtime, text: known?.text };
    this.#texts.set(file, read);
    // A note that cannot be read is one whose text is not known.
    this.#vault.cachedRead(file).then(
      (text) => {
        read.text = text;
        this.#onRead(file);
      },
      () => {},
    );
    return known?.text;
  }
}

interface ClosedNote {
  readonly mtime: number;
  text: string | undefined;
}
