/** The folder that Errand works in, and how it was found. */
export interface Vault {
  readonly folder: string;
  /** `here`: no folder upward is a vault, so the one we started from is taken. */
  readonly foundBy: '.errand' | '.obsidian' | 'here';
}

/** The nearest folder upward that is a vault, else the first. Folders come nearest first. */
export async function findVault(
  folders: readonly [string, ...string[]],
  hasFolder: (folder: string, name: string) => Promise<boolean>,
): Promise<Vault> {
  for (const folder of folders) {
    for (const foundBy of ['.errand', '.obsidian'] as const) {
      if (await hasFolder(folder, foundBy)) return { folder, foundBy };
    }
  }
  return { folder: folders[0], foundBy: 'here' };
}
