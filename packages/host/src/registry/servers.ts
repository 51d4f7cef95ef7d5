import type { JsonObject } from '@errand/wire';
import type { ContentRequest, ServerIdentity, ToolDescription } from '../connection.ts';
import type { ServerConfig } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';
import type { ConnectProgress } from './connect-progress.ts';
import type { HostNoteContext } from './find-server.ts';
import type { LentServer } from './lent-server.ts';
import type { ServerSnapshot } from './server-snapshot.ts';
import type { Tools } from './tool-list.ts';

/** The servers of a vault as faces see them, whether they run in this process or in the vault's owner. */
export interface Servers {
  readonly settings: LoadedSettings;
  list(): readonly ServerConfig[];
  /** By id, or by name ignoring case. */
  find(idOrName: string): ServerConfig | undefined;
  /** What the settings say to a note: its servers, and the bindings that hold or forbid there. */
  noteContext(documentPath: string): HostNoteContext;
  /** How every server is right now, in the order of the settings. */
  snapshots(): readonly ServerSnapshot[];
  snapshot(serverId: string): ServerSnapshot;
  /** How far a server is with connecting; unlike a snapshot, it looks at no files. */
  progress(serverId: string): ConnectProgress;
  /** The tools of a server, which is started if need be. */
  tools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]>;
  /** The tools as the server lists them now, whatever is cached. */
  refreshTools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]>;
  /** The tools last seen on a connected server; nothing is started or asked. */
  knownTools(serverId: string): readonly ToolDescription[];
  /** The tools it listed last, on this connection or an earlier one; the same object until they change. */
  lastTools(serverId: string): Tools | undefined;
  details(serverId: string): Promise<ConnectionDetails>;
  /** Asks a server, which is started if need be, about its resources and prompts, within the time of a call. */
  content(serverId: string, request: ContentRequest, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Lets the server say when a resource changes, in `content-changed` events, until the answer is disposed of or
   * the connection ends.
   */
  subscribe(serverId: string, uri: string, signal: AbortSignal): Promise<Disposable>;
  /**
   * Connects all enabled and agreed servers that are not to wait for their first use, and from now on each that
   * is added, agreed to or enabled.
   */
  start(): void;
  /** Connects at once instead of waiting for the planned retry; checks a connected server. */
  tryNow(serverId: string): void;
  setEnabled(serverId: string, enabled: boolean, signal?: AbortSignal): Promise<void>;
  /** Takes over settings that were saved by us or by another program. */
  apply(saved: LoadedSettings): void;
  /** Adds a server that this program provides itself; disposing of the answer withdraws it. */
  lend(server: LentServer): Promise<Disposable>;
}

/** What only a connection knows. */
export interface ConnectionDetails {
  readonly identity?: ServerIdentity;
  /** The last lines the server wrote to standard error, now or before it failed. */
  readonly lastOutput: string;
}
