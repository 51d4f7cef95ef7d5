import type { TFile, Vault } from './vault.ts';

/** What Obsidian knows about notes: here, only which one a link means. */
export class MetadataCache {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** By its path, or by the end of it: a link needs no folder and no extension. */
  getFirstLinkpathDest(link: string, _sourcePath: string): TFile | null {
    const wanted = `/${link.replace(/\.md$/, '')}.md`.toLowerCase();
    const files = this.#vault.getMarkdownFiles();
    return files.find(({ path }) => `/${path}`.toLowerCase().endsWith(wanted)) ?? null;
  }
}
