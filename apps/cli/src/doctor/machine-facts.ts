import type { ServerConfig } from '@errand/host';
import type { EngineAnswer } from '@errand/machine/docker';
import type { OwnerVisit } from '@errand/owner';

/** What was found on a machine and in a vault, before anybody judges it. Holds nothing secret. */
export interface MachineFacts {
  readonly node: { readonly version: string; readonly path: string };
  readonly folders: readonly FolderFacts[];
  /** Room on the disk of the state folder; absent where the system does not tell. */
  readonly freeMegabytes?: number;
  readonly hasKeychain: boolean;
  readonly engine: EngineAnswer;
  readonly hasBrowser: boolean;
  readonly git?: string;
  /** Why no port of this machine can be listened on. */
  readonly loopback?: string;
  /** Whether a program listens where the workbench usually does. */
  readonly isUsualPortTaken: boolean;
  /** How many files the system lets one user watch; only Linux has such a limit. */
  readonly watches?: number;
  /** Values of proxy variables that are no addresses, by name. */
  readonly badProxies: readonly string[];
  readonly vault: VaultFacts;
}

/** One of the folders that Errand keeps things in. */
export interface FolderFacts {
  readonly name: 'state' | 'cache' | 'vault';
  readonly path: string;
  readonly status:
    | 'ok'
    | 'absent'
    | 'not-a-folder'
    | 'not-writable'
    | 'read-only'
    | 'open-to-others';
  /** What is in the way, where that is not the folder itself: it, or a folder above it. */
  readonly obstacle?: string;
}

export interface VaultFacts {
  readonly folder: string;
  readonly isVault: boolean;
  /** The file that holds its settings. */
  readonly settings: string;
  /** What is wrong in them; a warning has no effect. */
  readonly problems: readonly { readonly level: 'error' | 'warning'; readonly message: string }[];
  /** What is wrong in its hooks. */
  readonly hookProblems: readonly { readonly message: string; readonly line?: number }[];
  readonly servers: readonly ServerFacts[];
  readonly missingSecrets: readonly string[];
  /** Why secrets cannot be read. */
  readonly secretProblem?: string;
  readonly owner: OwnerVisit['status'] | 'unreachable';
  /** Who that is, as `serve 0.1.0 (process 4711)`; why it is not known, when it cannot be reached. */
  readonly ownedBy?: string;
}

export interface ServerFacts {
  readonly name: string;
  readonly deploymentType: ServerConfig['deploymentType'];
  /** The program that a local one starts. */
  readonly command?: string;
  /** Whether that program is given arguments. */
  readonly hasArguments?: boolean;
  /** Whether it is to run in a sandbox that is not installed. */
  readonly lacksSandbox?: boolean;
  /** Where a terminal and a program started from the desktop find it. */
  readonly inTerminal?: string;
  readonly onDesktop?: string;
}
