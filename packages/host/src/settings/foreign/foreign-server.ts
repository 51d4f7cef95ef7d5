import type { Advice } from '../../advice.ts';
import type { ServerConfig } from '../../settings.ts';
import type { ForeignProgramName } from './foreign-programs.ts';

/** A configuration of another program, and what surrounds it. */
export interface ForeignSource {
  /** The file's path, or a name for pasted text; messages begin with it. */
  readonly file: string;
  /** Whose file it is, when that is known; otherwise it is recognised by how it looks. */
  readonly program?: ForeignProgramName;
  /** The project that the file belongs to; nothing for a file of the user. */
  readonly projectFolder?: string;
}

/** The machine and vault that servers are read for. */
export interface ForeignTarget {
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly os: string;
  readonly vaultFolder: string;
  /** Names that servers have already. */
  readonly takenNames?: Iterable<string>;
  /** Secrets that are set already: another program's question must not be answered by one of them. */
  readonly takenSecrets?: Iterable<string>;
}

/** Where a server was found. */
export interface ForeignOrigin {
  readonly program: ForeignProgramName | 'errand';
  readonly file: string;
  /** What it is called there. */
  readonly name: string;
  /** Whether it came with the vault, so that nobody on this machine may have seen it. */
  readonly isFromVault?: true;
}

/** A server of another program as an entry of ours. It is not stored anywhere. */
export interface ForeignServer {
  readonly origin: ForeignOrigin;
  /** `enabled` says whether it is switched on there. */
  readonly server: ServerConfig;
  /** What was changed by the import. */
  readonly notes: readonly string[];
  /** What to do before it works. */
  readonly advice: readonly Advice[];
}

export interface ForeignConfig {
  readonly servers: readonly ForeignServer[];
  /** Entries that cannot be used here, each with the reason. */
  readonly problems: readonly string[];
}
