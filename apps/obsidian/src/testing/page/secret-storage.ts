/** Obsidian's secrets: ids of at most 64 lowercase letters, digits and dashes, and never removed. */
export class SecretStorage {
  readonly #secrets = new Map<string, string>();

  setSecret(id: string, secret: string): void {
    const isValid = id.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id);
    if (!isValid) throw new Error(`Invalid secret ID: ${id}`);
    this.#secrets.set(id, secret);
  }

  getSecret(id: string): string | null {
    return this.#secrets.get(id) ?? null;
  }

  listSecrets(): string[] {
    return [...this.#secrets.keys()];
  }
}
