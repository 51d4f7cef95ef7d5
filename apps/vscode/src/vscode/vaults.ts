import { dirname, relative, sep } from 'node:path';
import { findVaultFolder } from '@errand/machine/node';
import { type Event, EventEmitter, type Uri, workspace } from 'vscode';
import type { VaultSession } from '../vault-session.ts';

/** A note of an open vault. */
export interface NoteOfVault {
  readonly session: VaultSession;
  readonly uri: Uri;
  /** Relative to the vault, with slashes. */
  readonly path: string;
}

export interface VaultsPorts {
  open(folder: string, signal: AbortSignal): Promise<VaultSession>;
  /** Told why a vault cannot be opened; calls back when it is worth another try, and returns what ends the waiting. */
  onFailure(folder: string, error: unknown, retry: () => void): () => void;
}

/** Subscribes to what an opened vault tells, and returns what ends that. */
export type FollowVault = (session: VaultSession) => readonly (() => void)[];

/** The vaults that the folders of the editor belong to; each is opened when somebody first needs it. */
export class Vaults implements AsyncDisposable {
  readonly #ports: VaultsPorts;
  readonly #closing = new AbortController();
  readonly #opening = new Map<string, Promise<VaultSession | undefined>>();
  readonly #open = new Map<string, VaultSession>();
  readonly #followers = new Set<FollowVault>();
  readonly #unfollow = new Map<VaultSession, (() => void)[]>();
  readonly #waiting = new Set<() => void>();
  readonly #changed = new EventEmitter<void>();
  /** Fired when a vault was opened, or could be opened now. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: VaultsPorts) {
    this.#ports = ports;
  }

  /** Those that are open. */
  get sessions(): readonly VaultSession[] {
    return [...this.#open.values()];
  }

  /** Follows every vault that is open or is opened later. */
  follow(follower: FollowVault): void {
    this.#followers.add(follower);
    for (const session of this.sessions) this.#unfollow.get(session)?.push(...follower(session));
  }

  /** The note that a file is, in its vault, which is opened for it; nothing for a file of no vault. */
  async noteAt(uri: Uri): Promise<NoteOfVault | undefined> {
    if (uri.scheme !== 'file') return undefined;
    const session = await this.#sessionOf(dirname(uri.fsPath));
    return session && { session, uri, path: pathIn(session, uri) };
  }

  /** The same if the vault is open already. */
  openNoteAt(uri: Uri): NoteOfVault | undefined {
    if (uri.scheme !== 'file') return undefined;
    const path = uri.fsPath;
    const [session] = this.sessions
      .filter(({ folder }) => path.startsWith(folder + sep))
      .sort((a, b) => b.folder.length - a.folder.length);
    return session && { session, uri, path: pathIn(session, uri) };
  }

  /** The folders of all vaults of the editor, without opening them; none while they are not trusted. */
  async folders(): Promise<readonly string[]> {
    if (!workspace.isTrusted) return [];
    const found = await Promise.all(
      (workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => findVaultFolder(uri.fsPath)),
    );
    return [
      ...new Set(found.flatMap(({ folder, foundBy }) => (foundBy === 'here' ? [] : [folder]))),
    ];
  }

  /** Opens the vaults of all folders of the editor. */
  async openAll(): Promise<readonly VaultSession[]> {
    const folders = await this.folders();
    const found = await Promise.all(folders.map((folder) => this.openFolder(folder)));
    return found.filter((session) => session !== undefined);
  }

  /** Opens the vault of a folder; nothing when it is none, is not trusted, or cannot be opened. */
  async openFolder(folder: string): Promise<VaultSession | undefined> {
    return this.#sessionOf(folder);
  }

  /** Looks again for vaults: a folder became one, or was trusted. */
  refresh(): void {
    this.#changed.fire();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const stop of this.#waiting) stop();
    await Promise.allSettled(this.#opening.values());
    await Promise.all(this.sessions.map((session) => this.#close(session)));
    this.#changed.dispose();
  }

  async #sessionOf(start: string): Promise<VaultSession | undefined> {
    if (!workspace.isTrusted || this.#closing.signal.aborted) return undefined;
    const { folder, foundBy } = await findVaultFolder(start);
    if (foundBy === 'here') return undefined;
    const opening = this.#opening.get(folder) ?? this.#begin(folder);
    this.#opening.set(folder, opening);
    return opening;
  }

  async #begin(folder: string): Promise<VaultSession | undefined> {
    try {
      const session = await this.#ports.open(folder, this.#closing.signal);
      if (this.#closing.signal.aborted) {
        await session[Symbol.asyncDispose]();
        return undefined;
      }
      this.#open.set(folder, session);
      this.#unfollow.set(
        session,
        [...this.#followers].flatMap((follow) => [...follow(session)]),
      );
      session.vault.host.servers.start();
      this.#changed.fire();
      return session;
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#waitAfter(folder, error);
      return undefined;
    }
  }

  /** Nobody tries again before something has changed: every key press asks for the vault. */
  #waitAfter(folder: string, error: unknown): void {
    const stop = this.#ports.onFailure(folder, error, () => {
      this.#waiting.delete(stop);
      stop();
      this.#opening.delete(folder);
      this.#changed.fire();
    });
    this.#waiting.add(stop);
  }

  async #close(session: VaultSession): Promise<void> {
    for (const unfollow of this.#unfollow.get(session) ?? []) unfollow();
    this.#open.delete(session.folder);
    await session[Symbol.asyncDispose]();
  }
}

function pathIn({ folder }: VaultSession, { fsPath }: Uri): string {
  return relative(folder, fsPath).replaceAll(sep, '/');
}
