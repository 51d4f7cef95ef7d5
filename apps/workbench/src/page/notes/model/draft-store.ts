/** Unsaved text, and the version of the note it is based on. */
export interface Draft {
  readonly text: string;
  /** The version of the note when typing began. */
  readonly etag: string;
}

/** Stores drafts in the browser, so that they survive a reload. */
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

  /** Returns false when the storage is full. */
  write(path: string, draft: Draft): boolean {
    try {
      this.#storage.setItem(this.#name(path), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  /** Removes a draft, unless another tab has stored a different one meanwhile. */
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
