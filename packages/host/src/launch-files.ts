import type { ServerConfig } from './settings.ts';

/** Finds what an entry names of its vault, and so may decide what runs. */
export interface LaunchFiles {
  /** In the order in which the entry names them; `isFresh` reads what was read before again. */
  of(server: ServerConfig, options?: { readonly isFresh?: boolean }): readonly LaunchFile[];
}

/** A file or folder of the vault that an entry names. */
export interface LaunchFile {
  /** From the vault's folder, with forward slashes. */
  readonly path: string;
  /**
   * SHA-256 of its content, or `link to` and where it leads. What a yes does not cover is a `folder`, is
   * `missing`, or is `unchecked`: a database or log, too large, no plain file, or not readable.
   */
  readonly identity: string;
}
