import type { TFile, Vault } from './vault.ts';

/** What links mean. */
export class MetadataCache {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The file of that name, wherever it is; a link to a note needs no extension. */
  getFirstLinkpathDest(linkpath: string, _sourcePath: string): TFile | null {
    const ends = [`/${linkpath}`, `/${linkpath}.md`].map((end) => end.toLowerCase());
    const isMeant = ({ path }: TFile) => ends.some((end) => `/${path}`.toLowerCase().endsWith(end));
    return this.#vault.getFiles().find(isMeant) ?? null;
  }
}
