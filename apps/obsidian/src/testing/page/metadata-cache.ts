import type { TFile, Vault } from './vault.ts';

/** What links mean. */
export class MetadataCache {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The note of that name, wherever it is. */
  getFirstLinkpathDest(linkpath: string, _sourcePath: string): TFile | null {
    const ends = [`/${linkpath}`, `/${linkpath}.md`];
    const isMeant = ({ path }: TFile) => ends.some((end) => `/${path}`.endsWith(end));
    return this.#vault.getFiles().find(isMeant) ?? null;
  }
}
