import type { ServerConfig } from './settings.ts';

/** Finds the files of a vault that decide what a local server runs. */
export interface LaunchFiles {
  /** In the order in which the entry names them; `isFresh` reads what was read before again. */
  of(server: ServerConfig, options?: { readonly isFresh?: boolean }): readonly LaunchFile[];
}

/** A program or script in the vault, or what a link in the vault leads to. */
export interface LaunchFile {
  /** From the vault's folder, with forward slashes. */
  readonly path: string;
  /** SHA-256 of its content, `link to` and where it leads, or `folder`; empty when that cannot be told. */
  readonly identity: string;
}
