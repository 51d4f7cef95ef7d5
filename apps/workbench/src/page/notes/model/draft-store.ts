/** Text that was typed and not saved, and the text it was made from. */
export interface Draft {
  readonly text: string;
  /** Of the note as it was when typing began. */
  readonly etag: string;
}

/** Keeps drafts in the browser, so that a reload loses nothing. */
export class DraftStore {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #vault: () => string;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, vault: () => string) {
    this.#storage = storage;
    this.#vault = vault;
  }

  read(path: string): Draft | undefined {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(this.#name(path)) ?? 'null');
      return isDraft(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether it is kept; a browser has room for only so much. */
  write(path: string, draft: Draft): boolean {
    try {
      this.#storage.setItem(this.#name(path), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  /** Forgets a draft, unless another tab keeps another one under this name by now. */
  remove(path: string, { text }: Draft): void {
    if (this.read(path)?.text === text) this.#storage.removeItem(this.#name(path));
  }

  #name(path: string): string {
    return `errand-draft ${this.#vault()} ${path}`;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { text, etag } = value as Partial<Record<keyof Draft, unknown>>;
  return typeof text === 'string' && typeof etag === 'string';
}
